import type { Chain } from '@lending/chain';
import { describe, expect, it } from 'vitest';
import { expiresInSeconds, fetchBlockhash, freshBlockhash, isFresh } from './blockhash.ts';

const SLOT_MICROS = 400_000n;
const BLOCKHASH = {
  value: 'GHtXQBsoZHVnNFa9YevAzFr17DJjgHXk3ycTKD5xD3Zi',
  lastValidBlockHeight: 150n,
  askedAtMs: 1_000,
};

/** A node that names a new blockhash at every question, and takes so long for it. */
function nodeTaking(answerMs: number) {
  let [height, nowMs] = [150n, 1_000];
  const send = async () => {
    nowMs += answerMs;
    height += 1n;
    return { value: { blockhash: BLOCKHASH.value, lastValidBlockHeight: height } };
  };
  const chain = { rpc: { getLatestBlockhash: () => ({ send }) } } as unknown as Chain;
  return { chain, now: () => nowMs };
}

describe('a blockhash', () => {
  it('is counted from when it was asked for, not from when it was answered', async () => {
    const { chain, now } = nodeTaking(4_000);
    const fetched = await fetchBlockhash(chain, now);
    expect(fetched).toEqual({ ...BLOCKHASH, lastValidBlockHeight: 151n });
    expect(expiresInSeconds(fetched, now(), SLOT_MICROS)).toBe(55);
  });

  it('is fresh while 130 blocks are left, the one under way counted as gone', () => {
    expect(isFresh(BLOCKHASH, 1_000 + 19 * 400, SLOT_MICROS)).toBe(true);
    expect(isFresh(BLOCKHASH, 1_000 + 19 * 400 + 400, SLOT_MICROS)).toBe(false);
    expect(expiresInSeconds(BLOCKHASH, 1_000 + 200 * 400, SLOT_MICROS)).toBe(0);
  });

  it('is asked for again when the answer took too long, and refused where every one is old', async () => {
    const quick = nodeTaking(10);
    const late = { ...BLOCKHASH, askedAtMs: -60_000 };
    expect((await freshBlockhash(late, { ...quick, slotMicros: SLOT_MICROS })).lastValidBlockHeight).toBe(151n);
    expect(await freshBlockhash(BLOCKHASH, { ...quick, slotMicros: SLOT_MICROS })).toBe(BLOCKHASH);
    const slow = nodeTaking(60_000);
    await expect(freshBlockhash(late, { ...slow, slotMicros: SLOT_MICROS })).rejects.toMatchObject({
      code: 'CHAIN__RPC_TIMED_OUT',
    });
  });
});

import type { Chain } from '@lending/chain';
import { LendingError } from '@lending/errors';
import type { Logger } from '@lending/runtime';
import { address } from '@solana/kit';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { expiresInSeconds, fetchBlockhash, freshBlockhash, isFresh } from './blockhash.ts';
import { fetchRecentFees } from './recent-fees.ts';
import { createSlotTime } from './slot-time.ts';

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

const GUESS = 200_000n;
const LOGGER = { debug() {} } as unknown as Logger;
let nowMs: number;
let asked: number;
let answer: () => Promise<bigint>;

beforeEach(() => {
  [nowMs, asked] = [1_000_000, 0];
  answer = async () => 400_000n;
});

function create() {
  const fetchSlotTime = async () => {
    asked += 1;
    return answer();
  };
  return createSlotTime({ fetchSlotTime }, () => nowMs, LOGGER);
}

const refuse = async () => {
  throw new LendingError('CHAIN__RPC_INVALID');
};

describe('the length of a slot', () => {
  it('is measured before it is reported, and again after a minute, beside which the last one serves', async () => {
    const slotTime = create();
    expect(await slotTime()).toBe(400_000n);
    answer = async () => 300_000n;
    nowMs += 59_000;
    expect(await slotTime()).toBe(400_000n);
    expect(asked).toBe(1);
    nowMs += 1_000;
    expect(await slotTime()).toBe(400_000n);
    await vi.waitFor(async () => expect(await slotTime()).toBe(300_000n));
    expect(asked).toBe(2);
  });

  it('is a guess no longer than until the node can be measured', async () => {
    answer = refuse;
    const slotTime = create();
    expect(await slotTime()).toBe(GUESS);
    answer = async () => 400_000n;
    // A node that answered nothing is left alone for a second.
    nowMs += 999;
    expect(await slotTime()).toBe(GUESS);
    expect(asked).toBe(1);
    nowMs += 1;
    expect(await slotTime()).toBe(400_000n);
  });

  it('stays as it was measured where the node does not answer later', async () => {
    const slotTime = create();
    await slotTime();
    answer = refuse;
    nowMs += 60_000;
    expect(await slotTime()).toBe(400_000n);
    expect(asked).toBe(2);
    expect(await slotTime()).toBe(400_000n);
  });
});

const BANK = address('2s37akK2eyBbp8DZgCm7RtsaEz8eJP3Nxd4urLHQv7yB');

function chainWhere(send: () => Promise<unknown>): Chain {
  return { rpc: { getRecentPrioritizationFees: () => ({ send }) } } as unknown as Chain;
}

describe('fetchRecentFees', () => {
  it('tells what was paid', async () => {
    const send = async () => [{ slot: 1n, prioritizationFee: 7n }];
    expect(await fetchRecentFees(chainWhere(send), [BANK])).toEqual([7n]);
  });

  it('knows nothing from a node that keeps no record of it', async () => {
    const send = () => Promise.reject(new LendingError('CHAIN__RPC_INVALID'));
    expect(await fetchRecentFees(chainWhere(send), [BANK])).toEqual([]);
  });

  it('passes on that no node answers', async () => {
    const send = () => Promise.reject(new LendingError('CHAIN__RPC_UNAVAILABLE'));
    await expect(fetchRecentFees(chainWhere(send), [BANK])).rejects.toMatchObject({ code: 'CHAIN__RPC_UNAVAILABLE' });
  });
});

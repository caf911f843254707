import { describe, expect, it } from 'vitest';
import { createMessage, decodeMessage, encodeMessage } from './message.ts';
import type { SwapQuoted } from './swap-quoted.ts';

const [USDC, SOL] = ['EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'So11111111111111111111111111111111111111112'];
const QUOTED: SwapQuoted = {
  inMint: USDC,
  outMint: SOL,
  inDecimals: 6,
  outDecimals: 9,
  inPriceUsd: '0.9998',
  outPriceUsd: '145.123456789012345678',
  rungs: [{ inBase: '1000200040', outBase: '18446744073709551615', aggregator: 'dflow' }],
  end: 'passed_largest',
};

function roundTrip(payload: SwapQuoted) {
  const facts = {
    topic: 'swap.quoted.v1',
    key: `${USDC}:${SOL}`,
    slot: 7n,
    unixTimestamp: 1n,
    source: 'chain',
  } as const;
  return decodeMessage('swap.quoted.v1', encodeMessage(createMessage({ ...facts, payload }))).payload;
}

describe('swapQuotedSchema', () => {
  it('keeps every digit', () => {
    expect(roundTrip(QUOTED)).toEqual(QUOTED);
    expect(roundTrip({ ...QUOTED, rungs: [], end: 'no_route' }).rungs).toEqual([]);
  });

  it.each<[string, Partial<SwapQuoted>]>([
    ['a swap that gives nothing', { rungs: [{ inBase: '1', outBase: '0', aggregator: 'jupiter' }] }],
    ['a price of nothing', { inPriceUsd: '0.000' }],
    ['a price below nothing', { outPriceUsd: '-1' }],
    ['a mint that is no address', { inMint: 'USDC' }],
  ])('refuses %s', (_what, changed) => {
    expect(() => roundTrip({ ...QUOTED, ...changed })).toThrow(/swap\.quoted\.v1/);
  });
});

import { describe, expect, it } from 'vitest';
import type { SwapCost } from './swap-cost.ts';
import { costAt, referenceCostOf } from './swap-cost-at.ts';
import { NOW_MS, usd } from './testing/made-banks.ts';

const rungs = [
  { sizeUsd: 1_000, costBps: 2 },
  { sizeUsd: 5_000, costBps: 4 },
  { sizeUsd: 25_000, costBps: 24 },
];
const quoted = (made: Partial<SwapCost> = {}): SwapCost => ({
  inMint: 'Sol',
  outMint: 'Staked',
  rungs,
  depthUsd: null,
  quotedAtMs: NOW_MS,
  ...made,
});

describe('costAt', () => {
  it('goes straight from one size to the next', () => {
    expect([1_000, 2_000, 5_000, 15_000, 25_000].map((size) => costAt(rungs, size))).toEqual([2, 2.5, 4, 14, 24]);
  });

  it('costs a smaller swap as the smallest', () => {
    expect([0, 10].map((size) => costAt(rungs, size))).toEqual([2, 2]);
  });

  it('knows nothing of a larger swap, nor without a quote', () => {
    expect(costAt(rungs, 25_000.01)).toBeNull();
    expect(costAt([], 1)).toBeNull();
  });
});

describe('referenceCostOf', () => {
  it('is of ten thousand dollars', () => {
    expect(referenceCostOf(quoted())).toEqual({ costBps: 9, sizeUsd: 10_000, quotedAtMs: NOW_MS });
  });

  it('is of the nearest size that was quoted', () => {
    expect(referenceCostOf(quoted({ rungs: rungs.slice(0, 2) }))).toMatchObject({ costBps: 4, sizeUsd: 5_000 });
    expect(referenceCostOf(quoted({ rungs: rungs.slice(2) }))).toMatchObject({ costBps: 24, sizeUsd: 25_000 });
  });

  it('is of no more than the market is deep for', () => {
    expect(referenceCostOf(quoted({ depthUsd: usd(2_000) }))).toMatchObject({ costBps: 2.5, sizeUsd: 2_000 });
    expect(referenceCostOf(quoted({ depthUsd: 0n }))).toMatchObject({ costBps: 2, sizeUsd: 1_000 });
    expect(referenceCostOf(quoted({ depthUsd: usd(90_000) }))).toMatchObject({ sizeUsd: 10_000 });
  });

  it('is unknown where no size had a route', () => {
    expect(referenceCostOf(quoted({ rungs: [], depthUsd: 0n }))).toBeNull();
  });
});

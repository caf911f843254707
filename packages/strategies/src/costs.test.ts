import { describe, expect, it } from 'vitest';
import { breakEvenDays, entryBpsAt } from './entry-cost.ts';
import { quotedSwapsOf } from './quoted-swaps.ts';
import type { SwapCost } from './swap-cost.ts';
import { costAt, referenceCostOf } from './swap-cost-at.ts';
import { NOW_MS, usd } from './testing/made-banks.ts';

describe('entryBpsAt', () => {
  it('is paid on all that is borrowed', () => {
    expect(entryBpsAt({ originationFeeBps: 10, swapBps: 4 }, 761n)).toBeCloseTo(6.61 * 14, 12);
  });

  it('is nothing at a leverage of 1, even where a swap is unknown', () => {
    expect(entryBpsAt({ originationFeeBps: 10, swapBps: null }, 100n)).toBe(0);
  });

  it('is unknown with an unknown swap', () => {
    expect(entryBpsAt({ originationFeeBps: 10, swapBps: null }, 101n)).toBeNull();
  });
});

describe('breakEvenDays', () => {
  it('takes as long as the yield needs to pay for it', () => {
    // 0.5 % at 10 % a year is a twentieth of a year.
    expect(breakEvenDays(50, 10)).toBeCloseTo(365.25 / 20, 12);
  });

  it('never comes without a yield, and is unknown with the cost', () => {
    expect([breakEvenDays(50, 0), breakEvenDays(50, -1), breakEvenDays(null, 10)]).toEqual([null, null, null]);
    expect(breakEvenDays(0, -1)).toBeNull();
  });

  it('has come where the market gave more', () => {
    expect([breakEvenDays(-3, 10), breakEvenDays(0, 10)]).toEqual([0, 0]);
  });
});

const quote = (inMint: string, outMint: string, quotedAtMs: number, depthUsd: bigint | null = null): SwapCost => ({
  inMint,
  outMint,
  rungs: [],
  depthUsd,
  quotedAtMs,
});

describe('quotedSwapsOf', () => {
  it('knows one way from the other', () => {
    const [there, back] = [quote('a', 'b', 1), quote('b', 'a', 1)];
    const swapOf = quotedSwapsOf([there, back, quote('a', 'c', 1)]);
    expect(swapOf('a', 'b')).toBe(there);
    expect(swapOf('b', 'a')).toBe(back);
    expect([swapOf('c', 'a'), swapOf('b', 'c')]).toEqual([null, null]);
  });

  it('takes the youngest, wherever it stands', () => {
    const [old, young, second] = [quote('a', 'b', 1), quote('a', 'b', 2, 1n), quote('a', 'b', 2, 2n)];
    expect(quotedSwapsOf([old, young, second])('a', 'b')).toBe(young);
    expect(quotedSwapsOf([young, old])('a', 'b')).toBe(young);
  });
});

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

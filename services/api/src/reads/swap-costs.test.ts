import { integerToI80F48 } from '@lending/domain';
import type { SwapQuoteRow } from '@lending/store';
import { describe, expect, it } from 'vitest';
import { toSwapCost } from './swap-costs.ts';

/** One percent. */
const MAX_IMPACT = 10n ** 16n;
const ASKED_AT = new Date('2026-11-22T10:00:00Z');

/** USDC for a token of 9 decimals at 100 USD; each rung gives so many tokens for so many USDC. */
function rowOf(sizes: readonly (readonly [usdc: number, tokens: number])[], changes: Partial<SwapQuoteRow> = {}) {
  const row: SwapQuoteRow = {
    in_mint: 'usdc',
    out_mint: 'token',
    in_decimals: 6,
    out_decimals: 9,
    in_price_usd: '1',
    out_price_usd: '100',
    rungs: sizes.map(([usdc, tokens]) => ({
      inBase: `${usdc * 1e6}`,
      outBase: `${Math.round(tokens * 1e9)}`,
      aggregator: 'jupiter',
    })),
    ladder_end: 'impact',
    source: 'chain',
    slot: 7n,
    slot_time: ASKED_AT,
    ...changes,
  };
  return row;
}

describe('toSwapCost', () => {
  it('tells what is lost of each size at the prices of then', () => {
    const cost = toSwapCost(
      rowOf([
        [1_000, 9.99],
        [10_000, 99.5],
        [100_000, 980],
      ]),
      MAX_IMPACT,
    );
    expect(cost).toMatchObject({ inMint: 'usdc', outMint: 'token', quotedAtMs: ASKED_AT.getTime() });
    expect(cost.rungs.map(({ sizeUsd }) => sizeUsd)).toEqual([1_000, 10_000, 100_000]);
    expect(cost.rungs.map(({ costBps }) => costBps)).toEqual([10, 50, 200].map((bps) => expect.closeTo(bps, 9)));
  });

  it('tells a gain as a cost below nothing', () => {
    expect(toSwapCost(rowOf([[1_000, 10.02]]), MAX_IMPACT).rungs[0]?.costBps).toBeCloseTo(-20, 9);
  });

  it('finds the depth in a straight line between what passed and what did not', () => {
    // Against the smallest size: nothing, half a percent, and two percent and a half.
    const { depthUsd } = toSwapCost(
      rowOf([
        [1_000, 9.9],
        [10_000, 98.505],
        [100_000, 965.25],
      ]),
      MAX_IMPACT,
    );
    expect(depthUsd).toBe(integerToI80F48(32_500n));
  });

  it('does not count against depth what even the smallest size loses', () => {
    const { depthUsd } = toSwapCost(
      rowOf(
        [
          [1_000, 9.5],
          [10_000, 95],
        ],
        { ladder_end: 'passed_largest' },
      ),
      MAX_IMPACT,
    );
    expect(depthUsd).toBeNull();
  });

  it('ends the depth at the last size that had a route', () => {
    const sizes = [
      [1_000, 10],
      [10_000, 99.9],
    ] as const;
    expect(toSwapCost(rowOf(sizes, { ladder_end: 'no_route' }), MAX_IMPACT).depthUsd).toBe(integerToI80F48(10_000n));
  });

  it('has no room where there is no route at all', () => {
    expect(toSwapCost(rowOf([], { ladder_end: 'no_route' }), MAX_IMPACT)).toMatchObject({ rungs: [], depthUsd: 0n });
  });
});

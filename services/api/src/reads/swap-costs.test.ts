import { integerToI80F48 } from '@lending/domain';
import type { SwapQuoteRow } from '@lending/store';
import { describe, expect, it, vi } from 'vitest';
import { createSwapCostReader, toSwapCost } from './swap-costs.ts';

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

describe('createSwapCostReader', () => {
  it('computes the cost of a quote once, and again when its pair is quoted again', () => {
    const read = createSwapCostReader(MAX_IMPACT, { error: () => undefined });
    const other = { in_mint: 'token', out_mint: 'usdc' };
    const first = read([rowOf([[1_000, 9.99]]), rowOf([[1_000, 9.98]], other)]);
    const second = read([rowOf([[1_000, 9.99]]), rowOf([[1_000, 9.97]], { ...other, slot: 8n })]);
    expect(second[0]).toBe(first[0]);
    expect([first[1], second[1]].map((cost) => cost?.rungs[0]?.costBps)).toEqual([
      expect.closeTo(20, 9),
      expect.closeTo(30, 9),
    ]);
  });

  it('leaves out what cannot be read, and says so once', () => {
    const error = vi.fn();
    const read = createSwapCostReader(MAX_IMPACT, { error });
    const rows = [rowOf([[1_000, 9.99]], { in_price_usd: 'nonsense' }), rowOf([[1_000, 9.99]], { in_mint: 'usdt' })];
    for (let nth = 0; nth < 2; nth += 1) expect(read(rows).map(({ inMint }) => inMint)).toEqual(['usdt']);
    expect(error).toHaveBeenCalledTimes(1);
  });

  it('forgets a pair that is gone', () => {
    const read = createSwapCostReader(MAX_IMPACT, { error: () => undefined });
    read([rowOf([[1_000, 9.99]])]);
    expect(read([])).toEqual([]);
  });
});

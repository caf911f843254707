import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatI80F48 } from '../i80f48.ts';
import { findLiquidationPoints, weakestOf } from './liquidation-point.ts';
import { moveBand } from './price-move.ts';
import { toShownRatio } from './ratio.ts';
import { computeRequirement } from './requirement.ts';
import type { RiskBalance } from './risk-balance.ts';
import { anyAccount, collateral, debt } from './testing/made-balances.ts';

const half = { assetMaint: '0.5', liabilityMaint: '1' };
const sol = { ...half, address: 'sol', price: '100' };
const usdc = { ...half, address: 'usdc' };

const prices = (balances: readonly RiskBalance[]) =>
  findLiquidationPoints(balances).map((point) => (point === null ? null : Number(formatI80F48(point.price))));

describe('findLiquidationPoints', () => {
  it('solves for one collateral and one debt', () => {
    expect(prices([collateral('10', sol), debt('300', usdc)])).toEqual([60, expect.closeTo(5 / 3, 12)]);
    const [fall, rise] = findLiquidationPoints([collateral('10', sol), debt('300', usdc)]);
    expect(toShownRatio(fall?.change ?? { numerator: 0n, denominator: 1n })).toBe(-0.4);
    expect(toShownRatio(rise?.change ?? { numerator: 0n, denominator: 1n })).toBeCloseTo(2 / 3, 12);
  });

  it('adds the interval for collateral and takes it off for debt, as the feed states it', () => {
    const band = { interval: '1' };
    expect(prices([collateral('10', { ...sol, ...band }), debt('300', usdc)])[0]).toBe(61);
    expect(prices([collateral('300', usdc), debt('1', { ...sol, ...band })])[1]).toBe(149);
  });

  it('caps the interval at 5 % of the price there, not of the price now', () => {
    // Four on a hundred is within the cap; at a price of about twenty only one is left of it.
    expect(prices([collateral('10', { ...sol, interval: '4' }), debt('95', usdc)])[0]).toBeCloseTo(20, 9);
  });

  it('has no point where others cover the debt, or nothing is owed', () => {
    expect(prices([collateral('10', sol), collateral('1000', usdc), debt('300', usdc)])[0]).toBeNull();
    expect(prices([collateral('10', sol), collateral('600', usdc), debt('300', usdc)])[0]).toBeNull();
    expect(prices([collateral('10', sol)])).toEqual([null]);
  });

  it('has none for a debt where the account is under water without it', () => {
    expect(prices([collateral('100', usdc), debt('1', sol), debt('60', usdc)])[1]).toBeNull();
  });

  it('has none for what counts nothing, and none at all where the account cannot be valued', () => {
    expect(prices([collateral('10', { ...sol, riskTier: 'Isolated' }), debt('1', usdc)])[0]).toBeNull();
    const failed = { ...collateral('10', sol), price: { kind: 'failed', error: 'PythPushStalePrice' } as const };
    expect(prices([failed, debt('1', usdc)])).toEqual([null, null]);
  });

  it('lies beyond the price of now once the account is past the line', () => {
    expect(prices([collateral('10', sol), debt('600', usdc)])[0]).toBe(120);
  });

  it('brings the account to the line, and no sooner', () => {
    const at = (balances: readonly RiskBalance[], index: number, permille: bigint): boolean => {
      const point = findLiquidationPoints(balances)[index];
      const balance = balances[index];
      if (
        point === null ||
        point === undefined ||
        balance?.price.kind !== 'loaded' ||
        typeof balance.price.spot === 'string'
      )
        throw new Error('no point');
      const spot = moveBand(balance.price.spot, (point.price * permille) / 1_000_000n);
      const moved = balances.with(index, { ...balance, price: { ...balance.price, spot } });
      const outcome = computeRequirement(moved, 'maintenance');
      return outcome.kind === 'valued' && outcome.assets <= outcome.liabilities;
    };
    let seen = 0;
    fc.assert(
      fc.property(anyAccount, (balances) => {
        for (const [index, point] of findLiquidationPoints(balances).entries()) {
          const value = computeRequirement(balances, 'maintenance');
          // Under a dollar the rounding of the valuation is seen.
          if (point === null || value.kind === 'refused' || (value.values[index]?.value ?? 0n) < 2n ** 48n) continue;
          // So it is on prices near the smallest and the largest there can be.
          if (point.price < 2n ** 40n || point.price > 2n ** 80n) continue;
          seen++;
          const isDebt = value.values[index]?.side === 'liability';
          expect(at(balances, index, isDebt ? 1_000_001n : 999_999n)).toBe(true);
          expect(at(balances, index, isDebt ? 999_999n : 1_000_001n)).toBe(false);
        }
      }),
      { numRuns: 300 },
    );
    expect(seen).toBeGreaterThan(20);
  });
});

describe('weakestOf', () => {
  it('picks the smallest move, whichever way', () => {
    const points = findLiquidationPoints([collateral('10', sol), debt('450', usdc)]);
    expect(weakestOf(points)?.bank).toBe('sol');
    expect(weakestOf([...points].reverse())?.bank).toBe('sol');
    expect(weakestOf([null, ...points.slice(1)])?.bank).toBe('usdc');
    expect(weakestOf([null])).toBeNull();
  });
});

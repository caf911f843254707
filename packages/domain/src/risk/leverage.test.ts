import { describe, expect, it } from 'vitest';
import { parseI80F48 } from '../i80f48.ts';
import {
  healthRatioAtLeverage,
  isEmodeApplied,
  type LeveragePair,
  maxLeverageHundredths,
  priceRatioDropToLiquidation,
  recommendedLeverageHundredths,
  theoreticalMaxLeverage,
} from './leverage.ts';
import { toShownRatio } from './ratio.ts';
import type { RiskBank } from './risk-balance.ts';
import { madeBank } from './testing/made-balances.ts';

const ZERO = { numerator: 0n, denominator: 1n };

describe('leverage of a pair', () => {
  // Borrowing SOL against staked SOL of tier 1, as configured on mainnet in April 2026.
  const lst = madeBank({ emode: { tag: 1571, entries: [] }, assetInit: '0.7', assetMaint: '0.8' });
  const sol = madeBank({
    liabilityInit: '1.14',
    liabilityMaint: '1.1',
    emode: {
      tag: 501,
      entries: [{ collateralTag: 1571, assetWeightInit: parseI80F48('1.046'), assetWeightMaint: parseI80F48('1.051') }],
    },
  });
  const pair: LeveragePair = { collateral: lst, debt: sol, originationFee: 0n };
  const plain: LeveragePair = { collateral: lst, debt: madeBank(), originationFee: parseI80F48('0.01') };

  it('goes to where collateral covers debt, with emode', () => {
    expect(isEmodeApplied(pair)).toBe(true);
    expect(toShownRatio(theoreticalMaxLeverage(pair) ?? ZERO)).toBeCloseTo(1 / (1 - 1.046 / 1.14), 9);
    expect(maxLeverageHundredths(pair)).toBe(BigInt(Math.floor(100 / (1 - (1.046 / 1.14) * 0.99))));
  });

  it('calls emode applied when it raises either weight', () => {
    const strong = (init: string, maint: string) =>
      isEmodeApplied({
        ...pair,
        collateral: { ...lst, weights: madeBank({ assetInit: init, assetMaint: maint }).weights },
      });
    expect([strong('1.046', '0.8'), strong('0.7', '1.051'), strong('1.046', '1.051')]).toEqual([true, true, false]);
  });

  it('takes the origination fee off, and uses plain weights without emode', () => {
    expect(isEmodeApplied(plain)).toBe(false);
    expect(maxLeverageHundredths(plain)).toBe(BigInt(Math.floor(100 / (1 - (0.7 / 1.25) * 0.98))));
    expect(toShownRatio(theoreticalMaxLeverage(plain) ?? ZERO)).toBeCloseTo(1 / (1 - 0.7 / 1.25), 12);
  });

  it('does not lever what counts nothing', () => {
    for (const worthless of [{ riskTier: 'Isolated' }, { operationalState: 'ReduceOnly' }] as Partial<RiskBank>[]) {
      const closed = { ...plain, collateral: madeBank(worthless) };
      expect(theoreticalMaxLeverage(closed)).toEqual({
        numerator: closed.debt.weights.liabilityInit,
        denominator: closed.debt.weights.liabilityInit,
      });
      expect(maxLeverageHundredths(closed)).toBe(100n);
      expect(recommendedLeverageHundredths(closed)).toBe(100n);
    }
  });

  it('has no bound where collateral counts as much as debt', () => {
    const even = { ...plain, collateral: madeBank({ assetInit: '1.5', assetMaint: '1.6' }) };
    expect(theoreticalMaxLeverage(even)).toBeNull();
    expect(maxLeverageHundredths(even)).toBeNull();
    expect(recommendedLeverageHundredths(even)).toBeNull();
  });

  it('has no bound exactly where the weights meet', () => {
    const times = (factor: bigint) => factor * 2n ** 48n;
    const met = {
      assetInit: times(100n),
      assetMaint: times(11n),
      liabilityInit: times(99n),
      liabilityMaint: times(10n),
    };
    const bank = { ...madeBank(), weights: met };
    const meeting: LeveragePair = { collateral: bank, debt: bank, originationFee: 0n };
    expect(maxLeverageHundredths(meeting)).toBeNull();
    expect(recommendedLeverageHundredths(meeting)).toBeNull();
    const equal = { ...bank, weights: { ...met, assetInit: times(99n) } };
    expect(theoreticalMaxLeverage({ ...meeting, collateral: equal })).toBeNull();
  });

  it('recommends nine tenths of the most, where that leaves a health ratio of 1.10', () => {
    expect(recommendedLeverageHundredths(plain)).toBe(((maxLeverageHundredths(plain) ?? 0n) * 90n) / 100n);
  });

  it('recommends less where maintenance is close', () => {
    const recommended = recommendedLeverageHundredths(pair) ?? 0n;
    expect(recommended).toBeLessThan(((maxLeverageHundredths(pair) ?? 0n) * 90n) / 100n);
    expect(toShownRatio(healthRatioAtLeverage(pair, recommended) ?? ZERO)).toBeGreaterThanOrEqual(1.1);
    expect(toShownRatio(healthRatioAtLeverage(pair, recommended + 1n) ?? ZERO)).toBeLessThan(1.1);
  });

  it('knows how far the price ratio may fall', () => {
    // At 2.00, 2 × 0.8 against 1 × 1.1.
    expect(toShownRatio(healthRatioAtLeverage(plain, 200n) ?? ZERO)).toBeCloseTo(1.6 / 1.1, 12);
    expect(toShownRatio(priceRatioDropToLiquidation(plain, 200n) ?? ZERO)).toBeCloseTo(1 - 1.1 / 1.6, 12);
    expect(priceRatioDropToLiquidation(plain, 100n)).toBeNull();
    expect(healthRatioAtLeverage(plain, 100n)).toBeNull();
    expect(priceRatioDropToLiquidation({ ...plain, collateral: madeBank({ riskTier: 'Isolated' }) }, 200n)).toBeNull();
  });
});

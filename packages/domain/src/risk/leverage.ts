import { type I80F48, I80F48_ONE } from '../i80f48.ts';
import { isWorthlessInitially } from './balance-value.ts';
import { assetWeightOf, NO_EMODE, reconcileEmode } from './emode.ts';
import type { Ratio } from './ratio.ts';
import type { RiskBank } from './risk-balance.ts';

/** A bank to deposit in and a bank to borrow from. */
export interface LeveragePair {
  readonly collateral: RiskBank;
  readonly debt: RiskBank;
  /** Of the debt's bank, as a part of what is borrowed. */
  readonly originationFee: I80F48;
}

interface PairWeights {
  readonly asset: I80F48;
  readonly liability: I80F48;
}

/** What the swap may cost besides the origination fee, percent. */
const COST_MARGIN_PERCENT = 1n;
/** What a recommended leverage leaves: a tenth of the maximum, and a health ratio of 1.10. */
export const RECOMMENDED_PART_PERCENT = 90n;
const RECOMMENDED_HEALTH_PERCENT = 110n;

/** Whether the debt's emode entries raise the weight of the collateral. */
export function isEmodeApplied({ collateral, debt }: LeveragePair): boolean {
  const emode = reconcileEmode([debt]);
  return (['initial', 'maintenance'] as const).some(
    (requirement) => assetWeightOf(collateral, requirement, emode) > assetWeightOf(collateral, requirement, NO_EMODE),
  );
}

/**
 * Leverage at which a swap without cost lands exactly on the initial requirement: 1 ÷ (1 − asset weight ÷ liability weight).
 * Null where the weights set no bound. By configuration alone: no prices, and no discount of a USD limit.
 */
export function theoreticalMaxLeverage(pair: LeveragePair): Ratio | null {
  const { asset, liability } = initialWeights(pair);
  return liability > asset ? { numerator: liability, denominator: liability - asset } : null;
}

/**
 * What a loop may ask for, in hundredths, rounded down: the theoretical maximum with the origination fee and 1 % of swap cost taken off
 * the collateral that the debt buys. Null where the weights set no bound.
 */
export function maxLeverageHundredths(pair: LeveragePair): bigint | null {
  const { asset, liability } = initialWeights(pair);
  // (1 − s) in hundredths of an I80F48, so that the one per cent is exact.
  const kept = (100n - COST_MARGIN_PERCENT) * I80F48_ONE - 100n * pair.originationFee;
  const whole = liability * 100n * I80F48_ONE;
  const room = whole - asset * kept;
  return room > 0n ? (100n * whole) / room : null;
}

/** In hundredths, rounded down, at least 1.00: nine tenths of the maximum, and a health ratio of 1.10 or more. */
export function recommendedLeverageHundredths(pair: LeveragePair): bigint | null {
  const max = maxLeverageHundredths(pair);
  const { asset, liability } = maintenanceWeights(pair);
  // L × asset ≥ 1.1 × (L − 1) × liability
  const bound = RECOMMENDED_HEALTH_PERCENT * liability;
  const room = bound - 100n * asset;
  const healthy = room > 0n ? (100n * bound) / room : null;
  const ofMax = max === null ? null : (max * RECOMMENDED_PART_PERCENT) / 100n;
  const lower = ofMax === null || (healthy !== null && healthy < ofMax) ? healthy : ofMax;
  return lower !== null && lower < 100n ? 100n : lower;
}

/** Health ratio of a fresh loop at maintenance, no bias; null at a leverage of 1, which has no debt. */
export function healthRatioAtLeverage(pair: LeveragePair, leverageHundredths: bigint): Ratio | null {
  const { asset, liability } = maintenanceWeights(pair);
  const denominator = (leverageHundredths - 100n) * liability;
  return denominator > 0n ? { numerator: leverageHundredths * asset, denominator } : null;
}

/**
 * The part by which the collateral's price in the debt's may fall until a fresh loop is liquidated; negative where it opens beyond the
 * line, null where there is no debt or the collateral counts nothing.
 */
export function priceRatioDropToLiquidation(pair: LeveragePair, leverageHundredths: bigint): Ratio | null {
  const ratio = healthRatioAtLeverage(pair, leverageHundredths);
  if (ratio === null || ratio.numerator === 0n) return null;
  return { numerator: ratio.numerator - ratio.denominator, denominator: ratio.numerator };
}

function initialWeights({ collateral, debt }: LeveragePair): PairWeights {
  const asset = isWorthlessInitially(collateral) ? 0n : assetWeightOf(collateral, 'initial', reconcileEmode([debt]));
  return { asset, liability: debt.weights.liabilityInit };
}

function maintenanceWeights({ collateral, debt }: LeveragePair): PairWeights {
  const isWorthless = collateral.riskTier === 'Isolated';
  const asset = isWorthless ? 0n : assetWeightOf(collateral, 'maintenance', reconcileEmode([debt]));
  return { asset, liability: debt.weights.liabilityMaint };
}

import {
  isEmodeApplied,
  type LeveragePair,
  maxLeverageHundredths,
  RECOMMENDED_PART_PERCENT,
  recommendedLeverageHundredths,
  theoreticalMaxLeverage,
  toShownRatio,
} from '@lending/domain';
import { type LeverageRisk, riskAt } from './leverage-risk.ts';

/** What follows from the configuration of two banks, and so stays while only rates, prices and balances change. */
export interface PairTerms {
  /** Hundredths, rounded down. */
  readonly maxHundredths: bigint;
  /** Null where the weights set no bound. */
  readonly theoreticalMax: number | null;
  readonly recommendedHundredths: bigint;
  readonly recommendedRisk: LeverageRisk;
  readonly emodeApplied: boolean;
}

/** Below this there is nothing to borrow: 1.00 is supplying alone. */
const LEAST_HUNDREDTHS = 101n;
/** A leverage has at most nine digits where a loop is asked for: what weights that set no bound come to, 999,999,999.99. */
const MOST_HUNDREDTHS = 99_999_999_999n;

/** Null where the pair does not lever: even 1.01 is more than its weights allow. */
export function termsOf(leverage: LeveragePair): PairTerms | null {
  const maxHundredths = least(maxLeverageHundredths(leverage), MOST_HUNDREDTHS);
  if (maxHundredths < LEAST_HUNDREDTHS) return null;
  const recommendedHundredths = least(
    recommendedLeverageHundredths(leverage),
    (MOST_HUNDREDTHS * RECOMMENDED_PART_PERCENT) / 100n,
  );
  const theoretical = theoreticalMaxLeverage(leverage);
  return {
    maxHundredths,
    theoreticalMax: theoretical === null ? null : toShownRatio(theoretical),
    recommendedHundredths,
    recommendedRisk: riskAt(leverage, recommendedHundredths),
    emodeApplied: isEmodeApplied(leverage),
  };
}

function least(bound: bigint | null, ceiling: bigint): bigint {
  return bound === null || bound > ceiling ? ceiling : bound;
}

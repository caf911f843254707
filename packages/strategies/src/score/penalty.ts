import type { I80F48 } from '@lending/domain';

/**
 * What takes from the score. Those of a sound pair add up to a half at most, and an unsound one loses 99 of 100: with `SOME_CAPACITY` the
 * worst sound pair has more than the best unsound one, and the unsound ones are still in order among themselves.
 */
const UNSOUND = 0.99;
/** The swap was never quoted: it may cost more than the yield. */
const SWAP_UNKNOWN = 0.1;
/** It was quoted, but longer ago than markets stay the same. */
const SWAP_OLD = 0.05;
const OLD_AFTER_MS = 24 * 3_600_000;
/** No mean of 7, or of 30, days: nobody knows whether it pays this every week. */
const NO_MEAN = 0.05;
/** Getting in is paid for after a year or later; in proportion before. */
const SLOW_PAYBACK = 0.15;
const SLOW_PAYBACK_DAYS = 365.25;
/** Borrowing earns no more than supplying alone: it may be wanted for its exposure, but not for its yield. */
const NO_GAIN = 0.15;

export interface PenaltyInputs {
  readonly netApyPct: number;
  readonly netApyBasePct: number;
  readonly sizeUsd: I80F48;
  readonly means: readonly (number | null)[];
  readonly isLevered: boolean;
  /** Null is not known. */
  readonly entryBps: number | null;
  readonly breakEvenDays: number | null;
  /** Since the swap was quoted; null where there is none, or no quote. */
  readonly quoteAgeMs: number | null;
}

/** From 0 to 1. Unsound is what earns nothing, or what nothing of fits. */
export function penaltyOf(inputs: PenaltyInputs): number {
  const { netApyPct, netApyBasePct, sizeUsd, means, isLevered, entryBps, breakEvenDays, quoteAgeMs } = inputs;
  if (netApyPct <= 0 || sizeUsd <= 0n) return UNSOUND;
  const ofSwap = entryBps === null ? SWAP_UNKNOWN : (quoteAgeMs ?? 0) > OLD_AFTER_MS ? SWAP_OLD : 0;
  const ofMeans = NO_MEAN * means.filter((mean) => mean === null).length;
  const ofPayback = SLOW_PAYBACK * Math.min(1, (breakEvenDays ?? 0) / SLOW_PAYBACK_DAYS);
  const ofGain = isLevered && netApyPct <= netApyBasePct ? NO_GAIN : 0;
  return ofSwap + ofMeans + ofPayback + ofGain;
}

import { type I80F48, toShownUsd } from '@lending/domain';

/**
 * What takes from the score of a pair that earns nothing, or of which nothing fits. The parts weigh 0.85 at most then, since carry or
 * capacity is 0, and 0.0425 is left of 50; a sound pair keeps `SOME_CAPACITY` and a tenth, which is 0.15 or more. So no unsound pair ever
 * stands above a sound one, and they are still in order among themselves.
 */
const UNSOUND = 0.999;
const MOST_OF_SOUND = 0.9;

/** Of less than this fits too little to be worth anybody's time, USD; in proportion, for caps are seldom full to the last cent. */
const SMALL_SIZE = 0.5;
const SMALL_SIZE_USD = 1_000;
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
  /** Net yields of 7 and 30 days. */
  readonly means: readonly (number | null)[];
  readonly isLevered: boolean;
  /** Null is not known. */
  readonly entryBps: number | null;
  readonly breakEvenDays: number | null;
  /** What a bad month takes of own capital, a part; 0 where no price is bet on. */
  readonly badMonthLoss: number;
  /** Since the swap was quoted; null where there is none, or no quote. */
  readonly quoteAgeMs: number | null;
}

/** Whether a pair earns at all, and any of it fits. */
export function isSound({ netApyPct, sizeUsd }: Pick<PenaltyInputs, 'netApyPct' | 'sizeUsd'>): boolean {
  return netApyPct > 0 && sizeUsd > 0n;
}

/** From 0 to 1. The loss of a bad month counts as it is: what takes half of the capital takes half of the score. */
export function penaltyOf(inputs: PenaltyInputs): number {
  const { netApyPct, netApyBasePct, sizeUsd, means, isLevered, breakEvenDays, badMonthLoss } = inputs;
  if (!isSound(inputs)) return UNSOUND;
  const ofSize = SMALL_SIZE * Math.max(0, 1 - toShownUsd(sizeUsd) / SMALL_SIZE_USD);
  const ofMeans = NO_MEAN * means.filter((mean) => mean === null).length;
  const ofPayback = SLOW_PAYBACK * Math.min(1, (breakEvenDays ?? 0) / SLOW_PAYBACK_DAYS);
  const ofGain = isLevered && netApyPct <= netApyBasePct ? NO_GAIN : 0;
  return Math.min(MOST_OF_SOUND, ofSize + ofSwap(inputs) + ofMeans + ofPayback + ofGain + badMonthLoss);
}

function ofSwap({ entryBps, quoteAgeMs }: PenaltyInputs): number {
  if (entryBps === null) return SWAP_UNKNOWN;
  return quoteAgeMs !== null && quoteAgeMs > OLD_AFTER_MS ? SWAP_OLD : 0;
}

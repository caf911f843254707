import type { DriftSpotMarket } from '@lending/programs';

/** One, in the integers the program keeps rates, utilisations and fee factors in. */
export const PERCENT_ONE = 1_000_000n;
/** A step of `minBorrowRate`: half a percent. */
const MIN_RATE_STEP = 5_000n;
/** Where a stretch of the curve ends, and which share (in thousandths) of the way from optimal to highest rate lies in it. */
const STRETCHES = [
  { end: 850_000n, weight: 50n },
  { end: 900_000n, weight: 100n },
  { end: 950_000n, weight: 150n },
  { end: 990_000n, weight: 200n },
  { end: 995_000n, weight: 250n },
  { end: 1_000_000n, weight: 250n },
] as const;
const ALL_WEIGHTS = 1_000n;

/** What the curve is made of. */
export type RateTerms = Pick<
  DriftSpotMarket,
  'optimalUtilization' | 'optimalBorrowRate' | 'maxBorrowRate' | 'minBorrowRate'
>;

/**
 * How much of the deposits is lent, in millionths; above a million after a loss.
 * @see protocol-v2 programs/drift/src/math/spot_balance.rs `calculate_utilization`
 */
export function utilizationOf(depositsBase: bigint, borrowsBase: bigint): bigint {
  if (depositsBase > 0n) return (borrowsBase * PERCENT_ONE) / depositsBase;
  return borrowsBase === 0n ? 0n : PERCENT_ONE;
}

/**
 * What borrowers pay a year, in millionths, by the program's own order of integer divisions.
 * @returns null where the program fails at these terms, and with it every instruction on the market.
 * @see protocol-v2 programs/drift/src/math/spot_balance.rs `calculate_borrow_rate`
 */
export function borrowRateOf(terms: RateTerms, utilization: bigint): bigint | null {
  const rate =
    utilization <= terms.optimalUtilization
      ? rateBelowOptimal(terms, utilization)
      : rateAboveOptimal(terms, utilization);
  const floor = BigInt(terms.minBorrowRate) * MIN_RATE_STEP;
  return rate === null || rate > floor ? rate : floor;
}

function rateBelowOptimal({ optimalUtilization, optimalBorrowRate }: RateTerms, utilization: bigint): bigint | null {
  if (optimalUtilization === 0) return null;
  const slope = (BigInt(optimalBorrowRate) * PERCENT_ONE) / BigInt(optimalUtilization);
  return (utilization * slope) / PERCENT_ONE;
}

function rateAboveOptimal(terms: RateTerms, utilization: bigint): bigint | null {
  const extra = BigInt(terms.maxBorrowRate) - BigInt(terms.optimalBorrowRate);
  let start = BigInt(terms.optimalUtilization);
  // The first stretch begins at the optimum, and the program subtracts without looking.
  if (extra < 0n || start > STRETCHES[0].end) return null;
  let rate = BigInt(terms.optimalBorrowRate);
  for (const { end, weight } of STRETCHES) {
    const whole = (extra * weight) / ALL_WEIGHTS;
    if (utilization <= end) return rate + (whole * (utilization - start)) / (end - start);
    rate += whole;
    start = end;
  }
  return rate;
}

/** What depositors get of it a year, in millionths: less the insurance fund's share, which is the only fee. */
export function depositRateOf(borrowRate: bigint, utilization: bigint, totalFactor: number): bigint {
  return (borrowRate * (PERCENT_ONE - BigInt(totalFactor)) * utilization) / PERCENT_ONE / PERCENT_ONE;
}

/** Hours in a year of 365.25 days: P0 compounds by the hour. */
const HOURS_PER_YEAR = 8766;
const SECONDS_PER_YEAR = HOURS_PER_YEAR * 3600;

/** A P0 APR as the APY people compare, both as fractions of one. A float, because it is only shown. */
export function aprToApy(apr: number): number {
  return Math.expm1(HOURS_PER_YEAR * Math.log1p(apr / HOURS_PER_YEAR));
}

/** The P0 APR of an APY, both as fractions of one. */
export function apyToApr(apy: number): number {
  return HOURS_PER_YEAR * Math.expm1(Math.log1p(apy) / HOURS_PER_YEAR);
}

/**
 * What a growth over some time comes to when it goes on for a year.
 * Shape: (last ÷ first) ^ (year ÷ seconds) − 1, a float because it is only shown; null where there is no growth to measure:
 * a value that is not positive, or no time between the two.
 * Units: both values in the same unit, such as a share value; the result is a fraction of one.
 */
export function growthToApy(first: number, last: number, seconds: number): number | null {
  if (!(first > 0) || !(last > 0) || !(seconds > 0)) return null;
  return Math.expm1(Math.log(last / first) * (SECONDS_PER_YEAR / seconds));
}

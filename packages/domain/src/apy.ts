/** Hours in a year of 365.25 days: P0 compounds by the hour. */
const HOURS_PER_YEAR = 8766;

/** A P0 APR as the APY people compare, both as fractions of one. A float, because it is only shown. */
export function aprToApy(apr: number): number {
  return Math.expm1(HOURS_PER_YEAR * Math.log1p(apr / HOURS_PER_YEAR));
}

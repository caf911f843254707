import { aprToApy, apyToApr } from './apy.ts';
import type { Venue } from './bank.ts';

/** How a venue's APR becomes an APY, in the words that replies carry. */
export const RATE_BASES = [
  'apr_compounded_hourly',
  'apr_compounded_63072000_a_year',
  'apr_compounded_continuously',
  'apy_equals_apr',
] as const;
export type RateBasis = (typeof RATE_BASES)[number];

const BASIS_OF_VENUE: Readonly<Record<Venue, RateBasis>> = {
  p0: 'apr_compounded_hourly',
  kamino: 'apr_compounded_63072000_a_year',
  solend: 'apr_compounded_63072000_a_year',
  drift: 'apr_compounded_continuously',
  juplend: 'apy_equals_apr',
};

/** The convention of a venue's own pages and SDK. */
export function rateBasisOf(venue: Venue): RateBasis {
  return BASIS_OF_VENUE[venue];
}

const HALF_SLOTS_A_YEAR = 63_072_000;

/**
 * A year's yield of a venue's APR. Both are fractions of one; the APR is what the wall clock sees, so a slot-based rate is already
 * adjusted by the measured slot time.
 */
export function venueApy(apr: number, venue: Venue): number {
  const basis = rateBasisOf(venue);
  switch (basis) {
    case 'apr_compounded_hourly':
      return aprToApy(apr);
    case 'apr_compounded_63072000_a_year':
      return Math.expm1(HALF_SLOTS_A_YEAR * Math.log1p(apr / HALF_SLOTS_A_YEAR));
    case 'apr_compounded_continuously':
      return Math.expm1(apr);
    case 'apy_equals_apr':
      return apr;
  }
}

/** The APR whose `venueApy` is this yield, both fractions of one: what a venue's own page says, turned back into what it was made of. */
export function venueApr(apy: number, venue: Venue): number {
  const basis = rateBasisOf(venue);
  switch (basis) {
    case 'apr_compounded_hourly':
      return apyToApr(apy);
    case 'apr_compounded_63072000_a_year':
      return HALF_SLOTS_A_YEAR * Math.expm1(Math.log1p(apy) / HALF_SLOTS_A_YEAR);
    case 'apr_compounded_continuously':
      return Math.log1p(apy);
    case 'apy_equals_apr':
      return apy;
  }
}

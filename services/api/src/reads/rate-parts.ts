import { earnsNothingByItself, type Venue } from '@lending/domain';
import { shownApyPct, shownPct, sumKnown } from './shown-numbers.ts';

/** A sample's or a bucket's rates, fractions of one a year; decimal text, or a float where it is a mean. */
export interface RateSource {
  readonly venue: Venue;
  readonly mint: string;
  readonly depositApr: string | number | null;
  readonly borrowApr: string | number | null;
  readonly nativeApr: string | number | null;
  readonly emissionsDepositApr: string | number | null;
  readonly emissionsBorrowApr: string | number | null;
}

/** The parts of a rate and their sums, percent a year, compounded. */
export interface RateParts {
  readonly interestDeposit: number | null;
  readonly interestBorrow: number | null;
  readonly native: number | null;
  readonly emissionsDeposit: number | null;
  /** Negative where the borrower is paid. */
  readonly emissionsBorrow: number | null;
  readonly totalDeposit: number | null;
  readonly totalBorrow: number | null;
}

/**
 * The parts of a rate as they are shown, and the totals: the sum of those parts that are known, null without interest.
 *
 * What a sample does not say can still be known: a plain token (a dollar, SOL) earns nothing by itself; P0's program pays no
 * emissions since 0.1.8, and no venue's pool pays its borrowers. The native yield is a year's yield already, measured from growth;
 * the others are APRs.
 */
export function describeRateParts(source: RateSource): RateParts {
  const { venue } = source;
  const interestDeposit = shownApyPct(source.depositApr, venue);
  const interestBorrow = shownApyPct(source.borrowApr, venue);
  const native = shownPct(source.nativeApr) ?? (earnsNothingByItself(source.mint) ? 0 : null);
  const emissionsDeposit = shownApyPct(source.emissionsDepositApr, venue) ?? (venue === 'p0' ? 0 : null);
  // Subtracted, because `-0` is nobody's rate.
  const emissionsBorrow = interestBorrow === null ? null : 0 - (shownApyPct(source.emissionsBorrowApr, venue) ?? 0);
  return {
    interestDeposit,
    interestBorrow,
    native,
    emissionsDeposit,
    emissionsBorrow,
    totalDeposit: interestDeposit === null ? null : sumKnown([interestDeposit, native, emissionsDeposit]),
    totalBorrow: interestBorrow === null ? null : sumKnown([interestBorrow, emissionsBorrow]),
  };
}

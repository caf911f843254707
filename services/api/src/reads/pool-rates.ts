import { rateBasisOf } from '@lending/domain';
import type { BankRow, ReserveRow } from '@lending/store';
import type { Bank } from '#records/bank-fields.ts';
import { describeRateParts } from './rate-parts.ts';
import { shownApyPct, shownNumber, shownPct } from './shown-numbers.ts';
import type { TrailingRates } from './trailing-rates.ts';

/** What is to be known of a bank or reserve before its rates are shown. */
export interface RateTerms {
  /** Not so for a bank on another venue: its samples hold the reserve's rates, and the borrow rate stands with the reserve. */
  readonly hasBorrowers: boolean;
  /** A suspended venue still computes rates that nobody earns: interest and totals are null then, means over the past as well. */
  readonly isSuspended: boolean;
}

/** The rates of a bank or reserve: of its newest sample, and over the trailing windows. */
export function describeRates(
  row: BankRow | ReserveRow,
  trailing: TrailingRates | undefined,
  { hasBorrowers, isSuspended }: RateTerms,
): Bank['rates'] {
  const known = !isSuspended;
  const parts = describeRateParts({
    venue: row.venue,
    mint: row.mint,
    depositApr: known ? row.deposit_apr : null,
    borrowApr: known && hasBorrowers ? row.borrow_apr : null,
    nativeApr: row.native_apr,
    emissionsDepositApr: known ? row.emissions_deposit_apr : null,
    emissionsBorrowApr: known && hasBorrowers ? row.emissions_borrow_apr : null,
  });
  const past = known ? trailing : undefined;
  const pastDeposit = (apr: number | null | undefined) => shownApyPct(apr ?? null, row.venue);
  const pastBorrow = (apr: number | null | undefined) => shownApyPct((hasBorrowers ? apr : null) ?? null, row.venue);
  return {
    total_deposit_apy_pct: parts.totalDeposit,
    total_borrow_apy_pct: parts.totalBorrow,
    interest_deposit_apy_pct: parts.interestDeposit,
    interest_borrow_apy_pct: parts.interestBorrow,
    native_apy_pct: parts.native,
    emissions_deposit_apy_pct: parts.emissionsDeposit,
    emissions_borrow_apy_pct: parts.emissionsBorrow,
    deposit_apy_7d_pct: pastDeposit(past?.week?.depositApr),
    deposit_apy_30d_pct: pastDeposit(past?.month?.depositApr),
    borrow_apy_7d_pct: pastBorrow(past?.week?.borrowApr),
    borrow_apy_30d_pct: pastBorrow(past?.month?.borrowApr),
    realized_deposit_apy_30d_pct: shownPct(past?.realizedDepositApy30d ?? null),
    utilization_pct: shownPct(row.utilization),
    basis: rateBasisOf(row.venue),
    slot_ms: shownNumber(row.slot_ms),
  };
}

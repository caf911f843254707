import { rateBasisOf } from '@lending/domain';
import type { BankRow } from '@lending/store';
import type { Bank } from '#records/bank-fields.ts';
import { describeRateParts } from './rate-parts.ts';
import { shownApyPct, shownNumber, shownPct } from './shown-numbers.ts';
import type { TrailingRates } from './trailing-rates.ts';

/**
 * The rates of a bank: of its newest sample, and over the trailing windows. On another venue the sample's rates are the reserve's,
 * and nobody borrows from such a bank: it has no borrow rate, the reserve's own stands in `reserve`.
 * A suspended venue still computes rates that nobody earns: interest and totals are null then, means over the past as well.
 */
export function describeRates(row: BankRow, trailing: TrailingRates | undefined, isSuspended: boolean): Bank['rates'] {
  const isOwnPool = row.venue === 'p0';
  const known = !isSuspended;
  const parts = describeRateParts({
    venue: row.venue,
    mint: row.mint,
    depositApr: known ? row.deposit_apr : null,
    borrowApr: known && isOwnPool ? row.borrow_apr : null,
    nativeApr: row.native_apr,
    emissionsDepositApr: known ? row.emissions_deposit_apr : null,
    emissionsBorrowApr: known && isOwnPool ? row.emissions_borrow_apr : null,
  });
  const past = known ? trailing : undefined;
  const pastDeposit = (apr: number | null | undefined) => shownApyPct(apr ?? null, row.venue);
  const pastBorrow = (apr: number | null | undefined) => shownApyPct((isOwnPool ? apr : null) ?? null, row.venue);
  return {
    total_deposit_apy_pct: parts.totalDeposit,
    total_borrow_apy_pct: parts.totalBorrow,
    interest_deposit_apy_pct: parts.interestDeposit,
    interest_borrow_apy_pct: parts.interestBorrow,
    native_apy_pct: parts.native,
    emissions_deposit_apy_pct: parts.emissionsDeposit,
    emissions_borrow_apy_pct: parts.emissionsBorrow,
    deposit_apy_7d_pct: pastDeposit(past?.depositApr7d),
    deposit_apy_30d_pct: pastDeposit(past?.depositApr30d),
    borrow_apy_7d_pct: pastBorrow(past?.borrowApr7d),
    borrow_apy_30d_pct: pastBorrow(past?.borrowApr30d),
    realized_deposit_apy_30d_pct: shownPct(past?.realizedDepositApy30d ?? null),
    utilization_pct: shownPct(row.utilization),
    basis: rateBasisOf(row.venue),
    slot_ms: shownNumber(row.slot_ms),
  };
}

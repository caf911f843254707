import { growthToApy } from '@lending/domain';
import type { TrailingRateRow } from '@lending/store';

/** Means over one window, fractions of one a year; null where no sample of it had one. */
export interface WindowRates {
  readonly depositApr: number | null;
  readonly borrowApr: number | null;
  readonly nativeApr: number | null;
  readonly emissionsDepositApr: number | null;
  readonly emissionsBorrowApr: number | null;
}

/** Trailing means of one bank or reserve, of 7 and of 30 days; null where too little is known. */
export interface TrailingRates {
  readonly week: WindowRates | null;
  readonly month: WindowRates | null;
  /** Fraction of one a year. */
  readonly realizedDepositApy30d: number | null;
}

const DAY_SECONDS = 86_400;

/** A mean that speaks for less of its window than this is not given: three days are no month. */
const MIN_COVERED_PART = 0.5;

export const TRAILING_DAYS = [7, 30] as const;

/** Puts the windows of each bank and reserve together, by address; a window that too little speaks for gives null, not a mean of a part. */
export function toTrailingRates(rows: readonly TrailingRateRow[]): ReadonlyMap<string, TrailingRates> {
  const byBank = new Map<string, { week?: TrailingRateRow; month?: TrailingRateRow }>();
  for (const row of rows) {
    const windows = byBank.get(row.bank) ?? {};
    if (row.days === 7) windows.week = row;
    if (row.days === 30) windows.month = row;
    byBank.set(row.bank, windows);
  }
  return new Map([...byBank].map(([bank, { week, month }]) => [bank, describe(week, month)]));
}

function describe(week: TrailingRateRow | undefined, month: TrailingRateRow | undefined): TrailingRates {
  return {
    week: week && isCovered(week) ? meansOf(week) : null,
    month: month && isCovered(month) ? meansOf(month) : null,
    realizedDepositApy30d: month && isCovered(month) ? realizedDepositApy(month) : null,
  };
}

function meansOf(row: TrailingRateRow): WindowRates {
  return {
    depositApr: row.deposit_apr,
    borrowApr: row.borrow_apr,
    nativeApr: row.native_apr,
    emissionsDepositApr: row.emissions_deposit_apr,
    emissionsBorrowApr: row.emissions_borrow_apr,
  };
}

function isCovered(row: TrailingRateRow): boolean {
  return row.covered_seconds >= row.days * DAY_SECONDS * MIN_COVERED_PART;
}

/**
 * What a deposit really earned, carried on for a year: a share of P0's own bank grows by its share value, one of a bank on another venue by
 * what the venue's receipt is worth, a reserve by its receipt alone.
 */
function realizedDepositApy(row: TrailingRateRow): number | null {
  const { exchange_rate_first: first, exchange_rate_last: last } = row;
  // A receipt whose worth is known at one end only says nothing of growth.
  if ((first === null) !== (last === null)) return null;
  const worth = (shareValue: string, exchangeRate: string | null) => Number(shareValue) * Number(exchangeRate ?? 1);
  return growthToApy(worth(row.share_value_first, first), worth(row.share_value_last, last), row.span_seconds);
}

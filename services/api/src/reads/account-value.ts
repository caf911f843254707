import { computeHealth, type Health, type HeldBalance, type I80F48, parseI80F48, premiumOwed } from '@lending/domain';
import type { AccountRow, BalanceRow } from '@lending/store';
import type { MeasuredBank } from './bank-measure.ts';
import type { MeasureSnapshot } from './measure-set.ts';

/** One balance of an account with its bank; `bank` null where nothing measured it yet. */
interface FoundBalance {
  readonly row: BalanceRow;
  readonly bank: MeasuredBank | null;
}

/** A balance that can be valued. */
export interface KnownBalance extends HeldBalance {
  readonly row: BalanceRow;
  readonly measured: MeasuredBank;
  /** Base units: what the last touch of a debt claimed, and what accrued since. */
  readonly premiumParts: { readonly claimed: I80F48; readonly accruing: I80F48 };
}

/** An account with what its balances are worth. */
export interface AccountValue {
  readonly row: AccountRow;
  /** Balances whose bank is measured, in the account's order. */
  readonly known: readonly KnownBalance[];
  /** The others: nobody can say what they are worth, and so what the account is. */
  readonly unknown: readonly BalanceRow[];
  /** Of the known balances; the whole account's where there is no unknown one. */
  readonly health: Health;
}

/** Values an account with the banks of a snapshot. `balances` are taken in the order of their slots, as the program goes through them. */
export function valueAccount(row: AccountRow, { measured }: Pick<MeasureSnapshot, 'measured'>): AccountValue {
  const found = row.balances
    .toSorted((a, b) => a.slot_index - b.slot_index)
    .map((balance): FoundBalance => ({ row: balance, bank: measured.get(balance.bank) ?? null }));
  const known = found.flatMap(({ row: balance, bank }) => (bank === null ? [] : [toKnown(balance, bank)]));
  const unknown = found.filter(({ bank }) => bank === null).map(({ row: balance }) => balance);
  return { row, known, unknown, health: computeHealth(known) };
}

export function toKnown(row: BalanceRow, measured: MeasuredBank): KnownBalance {
  const liabilityShares = parseI80F48(row.liability_shares);
  const stored = {
    rate: row.premium_rate,
    outstanding: parseI80F48(row.premium_outstanding),
    claimedAt: BigInt(row.last_update),
  };
  // To the moment that the bank's interest is accrued to.
  const premium = premiumOwed(measured.risk, { liabilityShares, premium: stored }, measured.risk.shares.lastUpdate);
  const claimed = premium === 0n ? 0n : stored.outstanding;
  return {
    row,
    measured,
    bank: measured.risk,
    price: measured.price,
    assetTag: row.asset_tag,
    assetShares: parseI80F48(row.asset_shares),
    liabilityShares,
    premiumParts: { claimed, accruing: premium - claimed },
    premium,
  };
}

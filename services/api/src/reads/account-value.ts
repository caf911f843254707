import {
  computeHealth,
  type DebtPremium,
  type Health,
  type HeldBalance,
  type I80F48,
  parseI80F48,
  premiumOwed,
} from '@lending/domain';
import type { AccountRow, BalanceRow } from '@lending/store';
import { type MeasuredBank, riskAt } from './bank-measure.ts';
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
  /** To which interest and premiums are in it; null: of each bank to its measure. */
  readonly unixTimestamp: bigint | null;
}

/**
 * Values an account with the banks of a snapshot, interest and premiums up to a moment, unix seconds; null: of each bank up to its measure.
 * `balances` are taken in the order of their slots, as the program goes through them.
 */
export function valueAccount(
  row: AccountRow,
  { measured }: Pick<MeasureSnapshot, 'measured'>,
  unixTimestamp: bigint | null = null,
): AccountValue {
  const found = row.balances
    .toSorted((a, b) => a.slot_index - b.slot_index)
    .map((balance): FoundBalance => ({ row: balance, bank: measured.get(balance.bank) ?? null }));
  const known = found.flatMap(({ row: balance, bank }) =>
    bank === null ? [] : [toKnown(balance, bank, unixTimestamp)],
  );
  const unknown = found.filter(({ bank }) => bank === null).map(({ row: balance }) => balance);
  return { row, known, unknown, health: computeHealth(known), unixTimestamp };
}

export function toKnown(row: BalanceRow, measured: MeasuredBank, unixTimestamp: bigint | null): KnownBalance {
  const bank = unixTimestamp === null ? measured.risk : riskAt(measured, unixTimestamp);
  const stored = storedPremium(row);
  const liabilityShares = parseI80F48(row.liability_shares);
  const moment = unixTimestamp ?? measured.risk.shares.lastUpdate;
  const premium = premiumOwed(bank, { liabilityShares, premium: stored }, moment);
  const claimed = premium === 0n ? 0n : stored.outstanding;
  return {
    row,
    measured,
    bank,
    price: measured.price,
    assetTag: row.asset_tag,
    assetShares: parseI80F48(row.asset_shares),
    liabilityShares,
    premiumParts: { claimed, accruing: premium - claimed },
    premium,
  };
}

/** What the last touch of a debt left of its premium. */
export function storedPremium(row: BalanceRow): DebtPremium {
  return {
    rate: row.premium_rate,
    outstanding: parseI80F48(row.premium_outstanding),
    claimedAt: BigInt(row.last_update),
  };
}

import { computeHealth, floorI80F48 } from '@lending/domain';
import type { AccountBalanceRow } from '@lending/store';
import type { BalanceRecord } from '#records/balance-fields.ts';
import { toKnown } from './account-value.ts';
import { shownUsdOf } from './health-record.ts';
import type { MeasureSnapshot } from './measure-set.ts';
import { tokensHeld } from './token-amounts.ts';

/** A balance as callers see it, valued as its account would be; of a bank that nobody measured only what the account says of it. */
export function describeBalance(row: AccountBalanceRow, { measured, banks }: MeasureSnapshot): BalanceRecord {
  const bank = measured.get(row.bank);
  const record = bank?.record ?? banks.entries.get(row.bank)?.record;
  const figures = bank === undefined ? undefined : computeHealth([toKnown(row, bank, null)]).positions[0];
  const held = figures?.amount ?? null;
  const amount = bank === undefined || held === null ? null : tokensHeld(bank, floorI80F48(held));
  return {
    account: row.account,
    bank: row.bank,
    symbol: record?.symbol ?? null,
    mint: record?.mint ?? null,
    venue: record?.venue ?? null,
    side: Number(row.liability_shares) >= 1 ? 'borrow' : 'lend',
    slot_index: row.slot_index,
    amount_ui: amount?.ui ?? null,
    amount_raw: amount?.raw ?? null,
    amount_usd: shownUsdOf(figures?.worth ?? null),
    asset_shares: row.asset_shares,
    liability_shares: row.liability_shares,
  };
}

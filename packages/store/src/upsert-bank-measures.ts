import { sql } from 'kysely';
import type { Transaction } from './create-store.ts';
import { newestByKey } from './newest-by-key.ts';

/** What the risk engine and the limits read of a bank at one slot. Objects are what the columns shall hold as JSON. */
export interface BankMeasureWrite {
  readonly bank: string;
  readonly ledger: unknown;
  readonly price: unknown;
  readonly vaultBase: string | null;
  readonly transferFee: unknown;
  readonly group: unknown;
  readonly source: 'chain' | 'localnet';
  readonly slot: bigint;
  readonly slotTime: string;
}

/** Writes the newest measure of each bank. An older slot than the one stored changes nothing. */
export async function upsertBankMeasures(
  transaction: Transaction,
  measures: readonly BankMeasureWrite[],
): Promise<void> {
  const rows = newestByKey(measures, ({ bank }) => bank);
  if (rows.length === 0) return;
  const column = <K extends keyof BankMeasureWrite>(name: K): BankMeasureWrite[K][] => rows.map((row) => row[name]);
  const json = (name: 'ledger' | 'price' | 'transferFee' | 'group') =>
    rows.map((row) => (row[name] === null ? null : JSON.stringify(row[name])));
  await sql`
    insert into bank_measure (bank, ledger, price, vault_base, transfer_fee, "group", source, slot, slot_time)
    select * from unnest(
      ${column('bank')}::text[],
      ${json('ledger')}::jsonb[],
      ${json('price')}::jsonb[],
      ${column('vaultBase')}::numeric[],
      ${json('transferFee')}::jsonb[],
      ${json('group')}::jsonb[],
      ${column('source')}::text[],
      ${column('slot')}::bigint[],
      ${column('slotTime')}::timestamptz[]
    )
    on conflict (bank) do update set
      ledger = excluded.ledger,
      price = excluded.price,
      vault_base = excluded.vault_base,
      transfer_fee = excluded.transfer_fee,
      "group" = excluded."group",
      source = excluded.source,
      slot = excluded.slot,
      slot_time = excluded.slot_time
    where bank_measure.slot <= excluded.slot
  `.execute(transaction);
}

import { sql } from 'kysely';
import type { Transaction } from './create-store.ts';
import { lockBanks } from './lock-banks.ts';
import { newestByKey } from './newest-by-key.ts';

/** A bank whose account could not be read at a slot, and why. `slotTime` is an ISO-8601 instant. */
export interface BankRejectionWrite {
  readonly bank: string;
  readonly reason: string;
  readonly source: 'chain' | 'localnet';
  readonly slot: bigint;
  readonly slotTime: string;
}

/** Writes which banks cannot be read. A reading of the bank at the same or a later slot, and a later rejection, win. */
export async function upsertBankRejections(
  transaction: Transaction,
  rejections: readonly BankRejectionWrite[],
): Promise<void> {
  const rows = newestByKey(rejections, ({ bank }) => bank);
  if (rows.length === 0) return;
  const column = <K extends keyof BankRejectionWrite>(name: K): BankRejectionWrite[K][] => rows.map((row) => row[name]);
  await lockBanks(transaction, column('bank'));
  await sql`
    insert into bank_rejection (bank, reason, source, slot, slot_time)
    select *
    from unnest(
      ${column('bank')}::text[],
      ${column('reason')}::text[],
      ${column('source')}::text[],
      ${column('slot')}::bigint[],
      ${column('slotTime')}::timestamptz[]
    ) as seen (bank, reason, source, slot, slot_time)
    where not exists (select from bank where bank.address = seen.bank and bank.slot >= seen.slot)
    on conflict (bank) do update set
      reason = excluded.reason,
      source = excluded.source,
      slot = excluded.slot,
      slot_time = excluded.slot_time
    where bank_rejection.slot <= excluded.slot
  `.execute(transaction);
}

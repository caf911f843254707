import type { Venue } from '@lending/domain';
import { sql } from 'kysely';
import type { Transaction } from './create-store.ts';

/** A sample that was read and not believed, and why. `time` is the slot's, as the reading had it. */
export interface QuarantinedRateWrite {
  readonly bank: string;
  readonly venue: Venue;
  readonly reason: string;
  readonly detail: string;
  readonly source: 'chain' | 'localnet';
  readonly slot: bigint;
  readonly time: string;
}

/** Keeps what was not believed, once for an address, slot and reason. */
export async function insertQuarantinedRates(
  transaction: Transaction,
  rows: readonly QuarantinedRateWrite[],
): Promise<void> {
  if (rows.length === 0) return;
  const column = <K extends keyof QuarantinedRateWrite>(name: K): QuarantinedRateWrite[K][] =>
    rows.map((row) => row[name]);
  await sql`
    insert into rate_quarantine (address, slot, reason, time, venue, detail, source)
    select distinct on (address, slot, reason) * from unnest(
      ${column('bank')}::text[],
      ${column('slot')}::bigint[],
      ${column('reason')}::text[],
      ${column('time')}::timestamptz[],
      ${column('venue')}::text[],
      ${column('detail')}::text[],
      ${column('source')}::text[]
    ) as seen (address, slot, reason, time, venue, detail, source)
    order by address, slot, reason
    -- A replay writes what it finds as it was told; the time of recording stays.
    on conflict (address, slot, reason) do update set
      time = excluded.time,
      venue = excluded.venue,
      detail = excluded.detail,
      source = excluded.source
    where (rate_quarantine.time, rate_quarantine.venue, rate_quarantine.detail, rate_quarantine.source)
      is distinct from (excluded.time, excluded.venue, excluded.detail, excluded.source)
  `.execute(transaction);
}

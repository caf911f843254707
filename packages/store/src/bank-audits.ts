import { type QueryExecutorProvider, sql } from 'kysely';
import type { Transaction } from './create-store.ts';
import { newestByKey } from './newest-by-key.ts';

/** A difference beyond its bound; whole numbers as text, in raw units of the field. */
export interface AuditDifference {
  readonly field: string;
  readonly ours: string;
  readonly theirs: string;
  readonly bound: string;
  /** Null: the figure is the bank's own. */
  readonly account: string | null;
  readonly slot: string;
}

/** How one of our figures of a bank compares with the program's own. */
export interface BankAuditWrite {
  readonly bank: string;
  readonly figure: string;
  readonly compared: string;
  readonly differed: string;
  readonly largestUnits: string;
  readonly lastUnits: string;
  readonly agreedInRow: number;
  readonly unverifiedSince: string | null;
  readonly lastDifference: AuditDifference | null;
  readonly source: 'chain' | 'localnet';
  readonly slot: bigint;
  readonly slotTime: string;
}

/**
 * Writes the newest comparison of each figure. One of an older slot than the one stored changes nothing. A difference stands until a
 * process that knows of it says that it healed: one that never saw it only counts on.
 */
export async function upsertBankAudits(transaction: Transaction, audits: readonly BankAuditWrite[]): Promise<void> {
  const rows = newestByKey(audits, ({ bank, figure }) => `${bank} ${figure}`);
  if (rows.length === 0) return;
  const column = <K extends keyof BankAuditWrite>(name: K): BankAuditWrite[K][] => rows.map((row) => row[name]);
  const differences = rows.map((row) => row.lastDifference && JSON.stringify(row.lastDifference));
  const slotOf = (row: string) => sql`coalesce((${sql.ref(`${row}.last_difference`)} ->> 'slot')::bigint, -1)`;
  const isKnown = sql`(${slotOf('excluded')} >= ${slotOf('bank_audit')})`;
  await sql`
    insert into bank_audit (
      bank, figure, compared, differed, largest_units, last_units, agreed_in_row, unverified_since, last_difference,
      source, slot, slot_time
    )
    select * from unnest(
      ${column('bank')}::text[],
      ${column('figure')}::text[],
      ${column('compared')}::bigint[],
      ${column('differed')}::bigint[],
      ${column('largestUnits')}::numeric[],
      ${column('lastUnits')}::numeric[],
      ${column('agreedInRow')}::integer[],
      ${column('unverifiedSince')}::bigint[],
      ${differences}::jsonb[],
      ${column('source')}::text[],
      ${column('slot')}::bigint[],
      ${column('slotTime')}::timestamptz[]
    )
    on conflict (bank, figure) do update set
      compared = excluded.compared,
      differed = excluded.differed,
      largest_units = excluded.largest_units,
      last_units = excluded.last_units,
      agreed_in_row = case when ${isKnown} then excluded.agreed_in_row else bank_audit.agreed_in_row end,
      unverified_since = case when ${isKnown} then excluded.unverified_since else bank_audit.unverified_since end,
      last_difference = case when ${isKnown} then excluded.last_difference else bank_audit.last_difference end,
      source = excluded.source,
      slot = excluded.slot,
      slot_time = excluded.slot_time
    where bank_audit.slot <= excluded.slot
  `.execute(transaction);
}

/** A row of `bank_audit`; see `BankAuditWrite`. */
export interface BankAuditRow {
  readonly bank: string;
  readonly figure: string;
  readonly compared: bigint;
  readonly differed: bigint;
  readonly largest_units: string;
  readonly last_units: string;
  readonly agreed_in_row: number;
  readonly unverified_since: bigint | null;
  readonly last_difference: AuditDifference | null;
  readonly slot: bigint;
  readonly slot_time: Date;
}

/**
 * How our figures compare with the program's own, by bank and figure; of one chain alone.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function listBankAudits(
  db: QueryExecutorProvider,
  { source }: { readonly source: 'chain' | 'localnet' },
): Promise<readonly BankAuditRow[]> {
  const { rows } = await sql<BankAuditRow>`
    select
      bank, figure, compared, differed, largest_units, last_units, agreed_in_row, unverified_since, last_difference,
      slot, slot_time
    from bank_audit
    where source = ${source}
    order by bank, figure
  `.execute(db);
  return rows;
}

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
 * Writes the newest comparison of each figure. Where several processes compare, one may have missed what another saw to differ: what knows of
 * fewer differences than the row that is stored changes nothing, and of as many neither does what is of an older slot.
 */
export async function upsertBankAudits(transaction: Transaction, audits: readonly BankAuditWrite[]): Promise<void> {
  const rows = newestByKey(audits, ({ bank, figure }) => `${bank} ${figure}`, rankOf);
  if (rows.length === 0) return;
  const column = <K extends keyof BankAuditWrite>(name: K): BankAuditWrite[K][] => rows.map((row) => row[name]);
  const differences = rows.map((row) => row.lastDifference && JSON.stringify(row.lastDifference));
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
      agreed_in_row = excluded.agreed_in_row,
      unverified_since = excluded.unverified_since,
      last_difference = excluded.last_difference,
      source = excluded.source,
      slot = excluded.slot,
      slot_time = excluded.slot_time
    where (bank_audit.differed, bank_audit.slot) <= (excluded.differed, excluded.slot)
  `.execute(transaction);
}

const SLOT_BITS = 64n;

function rankOf({ differed, slot }: BankAuditWrite): bigint {
  return (BigInt(differed) << SLOT_BITS) + slot;
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

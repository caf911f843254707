import { sql } from 'kysely';
import type { Database, Transaction } from './create-store.ts';

const PARTITION_LOCK = 7_105_553;
const DAY_MS = 86_400_000;

/** The partition of a UTC day: `rate_sample_20261121` holds 2026-11-21. */
export function partitionNameOf(day: string): string {
  return `rate_sample_${day.replaceAll('-', '')}`;
}

/** The UTC day of a partition, as `2026-11-21`; null when the name is of something else. */
export function dayOfPartition(name: string): string | null {
  const digits = /^rate_sample_(\d{4})(\d{2})(\d{2})$/.exec(name);
  return digits === null ? null : `${digits[1]}-${digits[2]}-${digits[3]}`;
}

/**
 * Creates the day partitions that samples of these times fall into.
 *
 * A partition is made as a table and then attached, because that only keeps others from changing partitions too: `partition
 * of` would stop every reader and writer. Whoever comes second waits for the first and finds it there.
 */
export async function ensurePartitions(transaction: Transaction, times: readonly string[]): Promise<void> {
  const days = [...new Set(times.map(utcDayOf))].sort();
  if ((await listMissing(transaction, days)).length === 0) return;
  await sql`select pg_advisory_xact_lock(${PARTITION_LOCK})`.execute(transaction);
  for (const day of await listMissing(transaction, days)) await createPartition(transaction, day);
}

/** The UTC days that have a partition, oldest first, as `2026-11-21`. */
export async function listSampleDays(db: Database | Transaction): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select child.relname as name
    from pg_inherits
    join pg_class as child on child.oid = pg_inherits.inhrelid
    where pg_inherits.inhparent = 'rate_sample'::regclass
  `.execute(db);
  return rows
    .map(({ name }) => dayOfPartition(name))
    .filter((day) => day !== null)
    .sort();
}

/** Asks the catalogue's rows, not `to_regclass`: that can remember, past the lock, that a table was not there. */
async function listMissing(transaction: Transaction, days: readonly string[]): Promise<readonly string[]> {
  const names = days.map(partitionNameOf);
  const { rows } = await sql<{ day: string }>`
    select day
    from unnest(${[...days]}::text[], ${names}::text[]) as wanted (day, name)
    where not exists (select from pg_class where relname = name and relnamespace = current_schema()::regnamespace)
    order by day
  `.execute(transaction);
  return rows.map(({ day }) => day);
}

async function createPartition(transaction: Transaction, day: string): Promise<void> {
  const name = sql.ref(partitionNameOf(day));
  const from = sql.lit(`${day}T00:00:00Z`);
  const to = sql.lit(new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString());
  await sql`create table ${name} (like rate_sample including all)`.execute(transaction);
  await sql`alter table rate_sample attach partition ${name} for values from (${from}) to (${to})`.execute(transaction);
}

/** The instants come from messages whose schema makes them ISO-8601 in UTC, so the day is their beginning. */
function utcDayOf(time: string): string {
  return new Date(time).toISOString().slice(0, 10);
}

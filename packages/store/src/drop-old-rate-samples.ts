import { sql } from 'kysely';
import type { Database } from './create-store.ts';
import { dayOfPartition } from './rate-sample-partitions.ts';

const DAY_MS = 86_400_000;

/** Dropping needs the table to itself for a moment. Waiting long for it would make every reader wait behind. */
const LOCK_TIMEOUT_MS = 2_000;

/**
 * Drops the day partitions whose samples are all older than `keepDays`.
 * @returns the names of the partitions dropped.
 * @throws STORE__UNAVAILABLE when the table was in use for too long; the next call tries again.
 */
export async function dropOldRateSamples(
  db: Database,
  options: { readonly keepDays: number; readonly now?: Date },
): Promise<readonly string[]> {
  const oldest = new Date((options.now ?? new Date()).getTime() - options.keepDays * DAY_MS).toISOString().slice(0, 10);
  const names = (await listPartitions(db)).filter((name) => {
    const day = dayOfPartition(name);
    return day !== null && day < oldest;
  });
  for (const name of names) {
    await db.transaction().execute(async (transaction) => {
      await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(transaction);
      await sql`drop table if exists ${sql.ref(name)}`.execute(transaction);
    });
  }
  return names;
}

async function listPartitions(db: Database): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select child.relname as name
    from pg_inherits
    join pg_class as child on child.oid = pg_inherits.inhrelid
    where pg_inherits.inhparent = 'rate_sample'::regclass
    order by name
  `.execute(db);
  return rows.map(({ name }) => name);
}

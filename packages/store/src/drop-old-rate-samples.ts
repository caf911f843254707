import { sql } from 'kysely';
import type { Database, Transaction } from './create-store.ts';
import { listSampleDays, partitionNameOf } from './rate-sample-partitions.ts';
import { lockMarks, readRollUpMarks, tryRollUpLock } from './roll-up-marks.ts';

const DAY_MS = 86_400_000;

/** Dropping needs the table to itself for a moment. Waiting long for it would make every reader wait behind. */
const LOCK_TIMEOUT_MS = 2_000;

/**
 * Drops the day partitions whose samples are all older than `keepDays` and rolled up: a day with an hour still to be done, for the
 * first time or again, stays, and so does every later one. Samples of dropped days are not taken any more.
 * @returns the names of the partitions dropped.
 * @throws STORE__UNAVAILABLE when the table was in use for too long; the next call tries again.
 */
export async function dropOldRateSamples(
  db: Database,
  options: { readonly keepDays: number; readonly now?: Date },
): Promise<readonly string[]> {
  const cutoff = new Date((options.now ?? new Date()).getTime() - options.keepDays * DAY_MS);
  const days = await db.transaction().execute((transaction) => closeDays(transaction, cutoff));
  const names = days.map(partitionNameOf);
  for (const name of names) {
    await db.transaction().execute(async (transaction) => {
      await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(transaction);
      await sql`drop table if exists ${sql.ref(name)}`.execute(transaction);
    });
  }
  return names;
}

/** Makes writers leave out what is older than the days to be dropped, and says which those are. Nothing while somebody rolls up. */
async function closeDays(transaction: Transaction, cutoff: Date): Promise<readonly string[]> {
  if (!(await tryRollUpLock(transaction))) return [];
  const firstKept = await findFirstKept(transaction, cutoff);
  const days = (await listSampleDays(transaction)).filter((day) => day < firstKept);
  if (days.length === 0) return [];
  await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(transaction);
  await lockMarks(transaction);
  await sql`
    update rate_roll_up set raw_from = greatest(raw_from, ${firstKept}::date::timestamp at time zone 'utc')
  `.execute(transaction);
  return days;
}

/** The first UTC day that stays. */
async function findFirstKept(transaction: Transaction, cutoff: Date): Promise<string> {
  const { rolledBefore } = await readRollUpMarks(transaction);
  const { rows } = await sql<{ oldest_due: Date | null }>`
    select min(bucket) as oldest_due from rate_roll_up_due
  `.execute(transaction);
  const times = [cutoff, rolledBefore ?? new Date(0), rows[0]?.oldest_due ?? cutoff];
  return new Date(Math.min(...times.map((time) => time.getTime()))).toISOString().slice(0, 10);
}

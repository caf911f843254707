import { type RawBuilder, sql } from 'kysely';
import type { Database, Transaction } from './create-store.ts';
import { hourDays } from './hour-days.ts';
import { listSampleDays } from './rate-sample-partitions.ts';
import { columnList, ROLL_UP_COLUMNS } from './roll-up-columns.ts';
import { lockMarks, readRollUpMarks, tryRollUpLock } from './roll-up-marks.ts';
import { sampleBuckets } from './sample-buckets.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Hours rolled up in one transaction: of three hundred series at one sample in ten seconds a few seconds' work. */
const STEP_HOURS = 2;

/** Waiting long for those who write would make those behind us wait as long. */
const LOCK_TIMEOUT_MS = 2_000;

/**
 * Declares the hours before `before` settled: from now on a sample before it is late, and its hour goes on the due list.
 * Never moves back, and does nothing while somebody else rolls up.
 * @param before on the edge of an hour
 * @throws STORE__UNAVAILABLE when writers took too long; the next call tries again.
 */
export async function settleRates(db: Database, before: Date): Promise<void> {
  const { settledBefore } = await readRollUpMarks(db);
  if (settledBefore !== null && settledBefore >= before) return;
  await db.transaction().execute(async (transaction) => {
    if (!(await tryRollUpLock(transaction))) return;
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(transaction);
    await lockMarks(transaction);
    await sql`
      update rate_roll_up set settled_before = greatest(settled_before, ${before}::timestamptz)
    `.execute(transaction);
  });
}

/** What one step did: hours of these times are rolled up. */
export interface RollUpStep {
  readonly from: Date;
  readonly to: Date;
  readonly hours: number;
}

/**
 * Rolls up the next settled hours, and the days that end in them, in one transaction.
 * @returns what was done; null when nothing is left to do or somebody else does it.
 * @throws STORE__UNAVAILABLE when the database does not answer; nothing is done then.
 */
export async function rollUpNext(db: Database): Promise<RollUpStep | null> {
  return await db.transaction().execute(async (transaction) => {
    if (!(await tryRollUpLock(transaction))) return null;
    const { settledBefore, rolledBefore } = await readRollUpMarks(transaction);
    if (settledBefore === null || (rolledBefore !== null && rolledBefore >= settledBefore)) return null;
    const from = await findStart(transaction, rolledBefore, settledBefore);
    const dayEnd = floorTo(from, DAY_MS) + DAY_MS;
    const to = new Date(Math.min(settledBefore.getTime(), dayEnd, from.getTime() + STEP_HOURS * HOUR_MS));
    const hours = await rollHours(transaction, 'all', from, to);
    const firstDay = new Date(floorTo(rolledBefore ?? from, DAY_MS));
    const lastDay = new Date(floorTo(to, DAY_MS));
    if (firstDay < lastDay) await rollDays(transaction, 'all', firstDay, lastDay);
    await sql`update rate_roll_up set rolled_before = ${to}::timestamptz`.execute(transaction);
    return { from, to, hours };
  });
}

/**
 * Where the next hours with samples begin: where we stand, or the next day that has any. Between two stretches of samples can lie
 * years, when the accounts of a chain were recorded.
 */
async function findStart(transaction: Transaction, rolledBefore: Date | null, settledBefore: Date): Promise<Date> {
  const days = await listSampleDays(transaction);
  const today = rolledBefore === null ? Number.NEGATIVE_INFINITY : floorTo(rolledBefore, DAY_MS);
  const next = days.map((day) => Date.parse(`${day}T00:00:00Z`)).find((dayMs) => dayMs >= today);
  const startMs = Math.max(rolledBefore?.getTime() ?? Number.NEGATIVE_INFINITY, next ?? Number.POSITIVE_INFINITY);
  return new Date(Math.min(startMs, settledBefore.getTime()));
}

/** Hours rolled up again in one transaction, at most. */
const DUE_PER_STEP = 400;

/**
 * Rolls up again hours that samples came late for, and their days, in one transaction.
 * @returns how many; 0 when none is left or somebody else rolls up.
 * @throws STORE__UNAVAILABLE when the database does not answer; nothing is done then.
 */
export async function rollUpDue(db: Database): Promise<number> {
  return await db.transaction().execute(async (transaction) => {
    if (!(await tryRollUpLock(transaction))) return 0;
    const { rolledBefore } = await readRollUpMarks(transaction);
    if (rolledBefore === null) return 0;
    // One that a writer touches at this moment stays for later: what it wrote cannot be seen yet.
    const { rows: due } = await sql<{ series: number; bucket: Date }>`
      delete from rate_roll_up_due
      where (series, bucket) in (
        select series, bucket
        from rate_roll_up_due
        where bucket < ${rolledBefore}::timestamptz
        order by bucket, series
        limit ${DUE_PER_STEP}
        for update skip locked
      )
      returning series, bucket
    `.execute(transaction);
    for (const [hourMs, entries] of Map.groupBy(due, ({ bucket }) => bucket.getTime())) {
      const series = entries.map((entry) => entry.series);
      await rollHours(transaction, series, new Date(hourMs), new Date(hourMs + HOUR_MS));
    }
    for (const [dayMs, entries] of Map.groupBy(due, ({ bucket }) => floorTo(bucket, DAY_MS))) {
      const series = [...new Set(entries.map((entry) => entry.series))];
      // A day that is not over yet is rolled up with its last hours.
      if (dayMs + DAY_MS > rolledBefore.getTime()) continue;
      await rollDays(transaction, series, new Date(dayMs), new Date(dayMs + DAY_MS));
    }
    return due.length;
  });
}

async function rollHours(
  transaction: Transaction,
  series: readonly number[] | 'all',
  start: Date,
  end: Date,
): Promise<number> {
  if (start >= end) return 0;
  const rows = sampleBuckets({ series, start, end, bucketSeconds: 3_600, silence: 'settled' });
  return await store(transaction, 'rate_hour', rows);
}

/** Writes the whole days of a range anew from their hours. */
export async function rollDays(
  transaction: Transaction,
  series: readonly number[] | 'all',
  start: Date,
  end: Date,
): Promise<number> {
  const wanted = series === 'all' ? sql`` : sql`and series = any(${[...series]}::integer[])`;
  const hours = sql`
    select * from rate_hour where bucket >= ${start}::timestamptz and bucket < ${end}::timestamptz ${wanted}
  `;
  return await store(transaction, 'rate_day', hourDays(hours));
}

/** What was polled replaces what is there; what was backfilled does so only where nothing was polled. */
async function store(
  transaction: Transaction,
  table: 'rate_hour' | 'rate_day',
  rows: RawBuilder<unknown>,
): Promise<number> {
  const replaced = ROLL_UP_COLUMNS.filter((column) => column !== 'series' && column !== 'bucket');
  const result = await sql`
    insert into ${sql.table(table)} as stored (${columnList(ROLL_UP_COLUMNS)})
    select ${columnList(ROLL_UP_COLUMNS)} from (${rows}) as rolled
    on conflict (series, bucket) do update set
      ${sql.join(replaced.map((column) => sql`${sql.ref(column)} = excluded.${sql.ref(column)}`))}
    where stored.source <> 'poller' or excluded.source = 'poller'
  `.execute(transaction);
  return Number(result.numAffectedRows ?? 0n);
}

function floorTo(time: Date, stepMs: number): number {
  return Math.floor(time.getTime() / stepMs) * stepMs;
}

import { sql } from 'kysely';
import type { Database } from './create-store.ts';

const DAY_MS = 86_400_000;
/** Hours deleted in one statement: some hundred series. */
const STEP_HOURS = 24 * 30;

/**
 * Deletes hours that are older than `keepDays`; their days stay, and an hour whose day is not rolled up yet does, too.
 * @returns how many.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function deleteOldRateHours(
  db: Database,
  options: { readonly keepDays: number; readonly now: Date },
): Promise<number> {
  const cutoff = new Date(Math.floor(options.now.getTime() / DAY_MS) * DAY_MS - options.keepDays * DAY_MS);
  let deleted = 0;
  for (;;) {
    const result = await sql`
      with oldest as (
        select min(bucket) as bucket
        from rate_series
        cross join lateral (
          select bucket from rate_hour where series = rate_series.id order by bucket limit 1
        ) as first
      )
      delete from rate_hour
      using oldest, rate_roll_up
      where rate_hour.bucket < least(
        ${cutoff}::timestamptz,
        date_bin('1 day', rate_roll_up.rolled_before, 'epoch'::timestamptz),
        oldest.bucket + make_interval(hours => ${sql.lit(STEP_HOURS)})
      )
      and rate_roll_up.rolled_before is not null
    `.execute(db);
    const count = Number(result.numAffectedRows ?? 0n);
    if (count === 0) return deleted;
    deleted += count;
  }
}

/**
 * Deletes quarantined readings that were recorded more than `keepDays` ago.
 * @returns how many.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function deleteOldQuarantine(db: Database, options: { readonly keepDays: number }): Promise<number> {
  const result = await sql`
    delete from rate_quarantine where recorded_at < now() - make_interval(days => ${options.keepDays})
  `.execute(db);
  return Number(result.numAffectedRows ?? 0n);
}

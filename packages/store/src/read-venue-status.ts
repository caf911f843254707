import type { Venue } from '@lending/domain';
import { type QueryExecutorProvider, sql } from 'kysely';

/** How far one venue was sampled. A venue without banks and reserves has no row. */
export interface VenueStatusRow {
  readonly venue: Venue;
  readonly banks: number;
  readonly reserves: number;
  /** The newest sample of any of them; null before the first. */
  readonly newest_slot: bigint | null;
  readonly newest_time: Date | null;
  /**
   * Seconds of the last 24 rolled-up hours in which nothing of the venue was sampled, its first sample on; null while no hour of it is
   * rolled up.
   */
  readonly gap_seconds: number | null;
}

/**
 * How each venue stands. One index probe for each bank and reserve, and a day of rolled-up hours.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function readVenueStatus(db: QueryExecutorProvider): Promise<readonly VenueStatusRow[]> {
  const { rows } = await sql<VenueStatusRow>`
    with pool as (
      select venue, count(*)::integer as banks, 0 as reserves from bank group by venue
      union all
      select venue, 0, count(*)::integer from reserve group by venue
    ),
    newest as (
      select distinct on (rate_series.venue) rate_series.venue, sample.slot, sample.time
      from rate_series
      cross join lateral (
        select slot, time from rate_sample where series = rate_series.id order by time desc, slot desc limit 1
      ) as sample
      order by rate_series.venue, sample.time desc, sample.slot desc
    ),
    first as (
      select rate_series.venue, min(hour.time_first) as time
      from rate_series
      cross join lateral (
        select time_first from rate_hour where series = rate_series.id and source = 'poller' order by bucket limit 1
      ) as hour
      group by rate_series.venue
    ),
    covered as (
      select venue, sum(seconds) as seconds
      from (
        select rate_series.venue, max(rate_hour.covered_seconds) as seconds
        from rate_roll_up
        join rate_hour
          on rate_hour.bucket >= rate_roll_up.rolled_before - interval '24 hours'
          and rate_hour.bucket < rate_roll_up.rolled_before
        join rate_series on rate_series.id = rate_hour.series
        where rate_hour.source = 'poller'
        group by rate_series.venue, rate_hour.bucket
      ) as hour
      group by venue
    )
    select
      pool.venue,
      sum(pool.banks)::integer as banks,
      sum(pool.reserves)::integer as reserves,
      newest.slot as newest_slot,
      newest.time as newest_time,
      case
        when first.time < rate_roll_up.rolled_before then greatest(
          0,
          round(extract(epoch from
            rate_roll_up.rolled_before - greatest(first.time, rate_roll_up.rolled_before - interval '24 hours')
          ) - coalesce(covered.seconds, 0))
        )::float8
      end as gap_seconds
    from pool
    cross join rate_roll_up
    left join newest using (venue)
    left join first using (venue)
    left join covered using (venue)
    group by pool.venue, newest.slot, newest.time, first.time, covered.seconds, rate_roll_up.rolled_before
    order by pool.venue
  `.execute(db);
  return rows;
}

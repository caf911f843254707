import { type RawBuilder, sql } from 'kysely';
import { meansAndClosings } from './roll-up-columns.ts';

/**
 * Query of what hours say about their days (UTC), with the columns of `rate_day`: means weighed by the seconds that each hour covers.
 * Backfilled hours make a day only where none of its hours was polled: the two are not of one kind.
 * @param hours a query with the columns of `rate_hour`
 */
export function hourDays(hours: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select
      series,
      day as bucket,
      max(source) as source,
      sum(samples)::integer as samples,
      sum(covered_seconds) as covered_seconds,
      min(time_first) as time_first,
      max(time_last) as time_last,
      min(slot_first) as slot_first,
      max(slot_last) as slot_last,
      min(deposit_apr_min) as deposit_apr_min,
      max(deposit_apr_max) as deposit_apr_max,
      max(deposit_apr_close) filter (where is_last) as deposit_apr_close,
      ${meansAndClosings('covered_seconds')}
    from (
      select
        *,
        source = 'poller' as is_polled,
        bool_or(source = 'poller') over (partition by series, day) as is_day_polled,
        bucket = max(bucket) over (partition by series, day, source = 'poller') as is_last
      from (select *, date_bin('1 day', bucket, 'epoch'::timestamptz) as day from (${hours}) as hour) as of_day
    ) as hour
    where is_polled = is_day_polled
    group by series, day
  `;
}

import { type RawBuilder, sql } from 'kysely';
import { meansAndClosings } from './roll-up-columns.ts';

/**
 * How long a sample speaks for its bank when no newer one follows. After this the time is a gap: known to nobody, and left
 * out of every mean. A constant, because a mean over the past must not change with a setting; the age at which a
 * running service calls rates stale is its own setting, with the same default.
 */
export const SAMPLE_HOLD_SECONDS = 120;

export interface SampleBucketsRange {
  readonly series: readonly number[] | 'all';
  /** Both on the edge of a bucket; the end is exclusive. */
  readonly start: Date;
  readonly end: Date;
  readonly bucketSeconds: number;
  /**
   * How long the last sample of a series speaks. `settled`: for as long as it may, because that time has passed. `newest`: if it is the
   * newest of all, it has not spoken for any time yet. A time: until then, and samples after it are not looked at.
   */
  readonly silence: 'settled' | 'newest' | Date;
}

/**
 * Query of what raw samples say about buckets of equal length (UTC, aligned to 1970), with the columns of `rate_hour`.
 *
 * A sample speaks from its own time until the next one, for SAMPLE_HOLD_SECONDS at most; a mean weighs each value by that time, cut at
 * the bucket's edges. Sizes, price, share values and exchange rates are those of the bucket's last sample. A bucket without a sample
 * of its own has no row, even if an earlier sample still speaks. All in exact decimals, so that the same samples give the same row.
 */
export function sampleBuckets(range: SampleBucketsRange): RawBuilder<unknown> {
  const { start, end, bucketSeconds, silence } = range;
  const hold = sql`make_interval(secs => ${sql.lit(SAMPLE_HOLD_SECONDS)})`;
  const length = sql`make_interval(secs => ${sql.lit(bucketSeconds)})`;
  const reach = Math.ceil(SAMPLE_HOLD_SECONDS / bucketSeconds);
  return sql`
    select
      series,
      bucket,
      'poller'::text as source,
      count(*) filter (where is_own)::integer as samples,
      sum(seconds) as covered_seconds,
      min(time) filter (where is_own) as time_first,
      max(time) filter (where is_own) as time_last,
      min(slot) filter (where is_own) as slot_first,
      max(slot) filter (where is_own) as slot_last,
      min(deposit_apr) as deposit_apr_min,
      max(deposit_apr) as deposit_apr_max,
      max(deposit_apr) filter (where is_last) as deposit_apr_close,
      ${meansAndClosings('seconds')}
    from (
      select
        *,
        step = 0 as is_own,
        -- Whichever comes next is of another bucket.
        step = 0 and (next_time is null or next_time >= bucket + ${length}) as is_last,
        extract(epoch from least(until, bucket + ${length}) - greatest(time, bucket)) as seconds
      from (
        select
          sample.*,
          step,
          date_bin(${length}, time, 'epoch'::timestamptz) + step * ${length} as bucket,
          least(coalesce(next_time, ${silenceOf(silence)}), time + ${hold}) as until
        from (
          select
            rate_sample.*,
            lead(time) over (partition by rate_sample.series order by time, slot) as next_time
          from ${seriesOf(range.series)}
          where time >= ${start}::timestamptz - ${hold}
            and time < ${end}::timestamptz
            ${silence instanceof Date ? sql`and time <= ${silence}::timestamptz` : sql``}
        ) as sample
        cross join generate_series(0, ${sql.lit(reach)}) as step
      ) as spread
      where bucket >= ${start}::timestamptz and bucket < ${end}::timestamptz and (step = 0 or bucket < until)
    ) as piece
    group by series, bucket
    having bool_or(is_own)
  `;
}

/** Each series by its own stretch of the key: few of many samples are looked at. */
function seriesOf(series: readonly number[] | 'all'): RawBuilder<unknown> {
  return series === 'all'
    ? sql`rate_series join rate_sample on rate_sample.series = rate_series.id`
    : sql`unnest(${[...series]}::integer[]) as chosen (id) join rate_sample on rate_sample.series = chosen.id`;
}

function silenceOf(silence: 'settled' | 'newest' | Date): RawBuilder<unknown> {
  if (silence instanceof Date) return sql`${silence}::timestamptz`;
  if (silence === 'settled') return sql`'infinity'::timestamptz`;
  return sql`case
    when exists (
      select from rate_sample as newer where newer.series = sample.series and newer.time > sample.time
    ) then 'infinity'::timestamptz
    else sample.time
  end`;
}

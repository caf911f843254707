import { type RawBuilder, sql } from 'kysely';

/**
 * How long a sample speaks for its bank when no newer one follows. After this the time is a gap: known to nobody, and left
 * out of every mean. A constant, because a mean over the past must not change with a setting; the age at which a
 * running service calls rates stale is its own setting, with the same default.
 */
export const SAMPLE_HOLD_SECONDS = 120;

export interface SampleBucketsRange {
  /** Query of the numbers of the series, as `id`. */
  readonly series: RawBuilder<unknown>;
  /** Both on the edge of a bucket; timestamps or expressions of them. The end is exclusive. */
  readonly start: RawBuilder<unknown>;
  readonly end: RawBuilder<unknown>;
  readonly bucketSeconds: number;
  /**
   * Whether time has passed since the end, so that the last sample of a series has spoken for as long as it may. Else the newest
   * sample of all has not spoken for any time yet.
   */
  readonly isSettled: boolean;
}

/**
 * Query of what raw samples say about buckets of equal length (UTC, aligned to 1970), with the columns of `rate_hour`.
 *
 * A sample speaks from its own time until the next one, for SAMPLE_HOLD_SECONDS at most; a mean weighs each value by that time, cut at
 * the bucket's edges. Sizes, price, share values and exchange rates are those of the bucket's last sample. A bucket without a sample
 * of its own has no row, even if an earlier sample still speaks. All in exact decimals, so that the same samples give the same row.
 */
export function sampleBuckets({
  series,
  start,
  end,
  bucketSeconds,
  isSettled,
}: SampleBucketsRange): RawBuilder<unknown> {
  const hold = sql`make_interval(secs => ${sql.lit(SAMPLE_HOLD_SECONDS)})`;
  const length = sql`make_interval(secs => ${sql.lit(bucketSeconds)})`;
  const reach = Math.ceil(SAMPLE_HOLD_SECONDS / bucketSeconds);
  const silence = isSettled
    ? sql`'infinity'::timestamptz`
    : sql`case
        when exists (
          select from rate_sample as newer where newer.series = sample.series and newer.time > sample.time
        ) then 'infinity'::timestamptz
        else sample.time
      end`;
  const lastOf = (column: string) => sql`max(${sql.ref(column)}) filter (where is_last)`;
  const meanOf = (column: string) => sql`round(coalesce(
    sum(${sql.ref(column)} * seconds) / nullif(sum(seconds) filter (where ${sql.ref(column)} is not null), 0),
    avg(${sql.ref(column)})
  ), 18)`;
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
      ${meanOf('deposit_apr')} as deposit_apr,
      min(deposit_apr) as deposit_apr_min,
      max(deposit_apr) as deposit_apr_max,
      ${lastOf('deposit_apr')} as deposit_apr_close,
      ${meanOf('borrow_apr')} as borrow_apr,
      ${meanOf('native_apr')} as native_apr,
      ${meanOf('emissions_deposit_apr')} as emissions_deposit_apr,
      ${meanOf('emissions_borrow_apr')} as emissions_borrow_apr,
      ${meanOf('utilization')} as utilization,
      ${lastOf('total_assets_base')} as total_assets_base,
      ${lastOf('total_liabilities_base')} as total_liabilities_base,
      ${lastOf('available_liquidity_base')} as available_liquidity_base,
      ${lastOf('asset_share_value')} as asset_share_value,
      ${lastOf('liability_share_value')} as liability_share_value,
      ${lastOf('exchange_rate')} as exchange_rate,
      ${lastOf('native_exchange_rate')} as native_exchange_rate,
      ${lastOf('price_usd')} as price_usd
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
          least(coalesce(next_time, ${silence}), time + ${hold}) as until
        from (
          select
            rate_sample.*,
            lead(time) over (partition by rate_sample.series order by time, slot) as next_time
          from (${series}) as chosen
          join rate_sample on rate_sample.series = chosen.id
          where time >= ${start} - ${hold} and time < ${end}
        ) as sample
        cross join generate_series(0, ${sql.lit(reach)}) as step
      ) as spread
      where bucket >= ${start} and bucket < ${end} and (step = 0 or bucket < until)
    ) as piece
    group by series, bucket
    having bool_or(is_own)
  `;
}

import { type QueryExecutorProvider, sql } from 'kysely';

/**
 * How long a sample speaks for its bank when no newer one follows. After this the time is a gap: known to nobody, and left
 * out of every mean. A constant, because a mean over the past must not change with a setting; the age at which a
 * running service calls rates stale is its own setting, with the same default.
 */
export const SAMPLE_HOLD_SECONDS = 120;

/** What one bank's samples say about one bucket. APRs and utilisation are fractions of one; a bucket without a sample has no row. */
export interface RateBucketRow {
  readonly bank: string;
  readonly bucket: Date;
  readonly samples: number;
  readonly slot_first: bigint;
  readonly slot_last: bigint;
  /** Mean over the part of the bucket that samples speak for. */
  readonly deposit_apr: number | null;
  readonly borrow_apr: number | null;
  readonly utilization: number | null;
  readonly deposit_apr_min: number | null;
  readonly deposit_apr_max: number | null;
  readonly deposit_apr_close: number | null;
  readonly total_assets_base: string | null;
  readonly total_liabilities_base: string | null;
  readonly asset_share_value: string;
  readonly liability_share_value: string;
  readonly price_usd: string | null;
}

export interface RateHistoryRange {
  readonly banks: readonly string[];
  /** Inclusive; on a bucket boundary. */
  readonly start: Date;
  /** Exclusive. */
  readonly end: Date;
  readonly bucketSeconds: number;
}

/**
 * Rates of banks in buckets of equal length (UTC, aligned to 1970), computed from raw samples.
 *
 * A sample speaks from its own time until the next one, for SAMPLE_HOLD_SECONDS at most; a mean weighs each value by that
 * time, cut at the bucket's edges. Sizes, price and share values are those of the bucket's last sample.
 * Shape: by bank, then by time; a bucket without a sample of its own has no row.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function readRateHistory(
  db: QueryExecutorProvider,
  range: RateHistoryRange,
): Promise<readonly RateBucketRow[]> {
  const { rows } = await sql<RateBucketRow>`
    with sample as (
      select
        bank,
        slot,
        time,
        deposit_apr::float8 as deposit_apr,
        borrow_apr::float8 as borrow_apr,
        utilization::float8 as utilization,
        total_assets_base,
        total_liabilities_base,
        asset_share_value,
        liability_share_value,
        price_usd,
        -- The newest sample of all has not spoken for any time yet; the newest of this range has, if another came later.
        least(
          coalesce(
            lead(time) over (partition by bank order by time, slot),
            case
              when exists (
                select from rate_sample as newer where newer.bank = rate_sample.bank and newer.time > rate_sample.time
              ) then 'infinity'::timestamptz
              else time
            end
          ),
          time + make_interval(secs => ${SAMPLE_HOLD_SECONDS})
        ) as until
      from rate_sample
      where bank = any(${range.banks as string[]})
        and time >= ${range.start}::timestamptz - make_interval(secs => ${SAMPLE_HOLD_SECONDS})
        and time < ${range.end}::timestamptz + make_interval(secs => ${SAMPLE_HOLD_SECONDS})
    ),
    piece as (
      select
        sample.*,
        bucket,
        sample.time >= bucket as is_own,
        extract(epoch from
          least(sample.until, bucket + make_interval(secs => ${range.bucketSeconds})) - greatest(sample.time, bucket)
        )::float8 as seconds
      from sample
      cross join lateral generate_series(
        date_bin(make_interval(secs => ${range.bucketSeconds}), sample.time, 'epoch'::timestamptz),
        sample.until,
        make_interval(secs => ${range.bucketSeconds})
      ) as bucket
      where bucket >= ${range.start}::timestamptz and bucket < ${range.end}::timestamptz
    ),
    summary as (
      select
        bank,
        bucket,
        count(*) filter (where is_own)::integer as samples,
        min(slot) filter (where is_own) as slot_first,
        max(slot) filter (where is_own) as slot_last,
        coalesce(
          sum(deposit_apr * seconds) / nullif(sum(seconds) filter (where deposit_apr is not null), 0),
          avg(deposit_apr)
        ) as deposit_apr,
        coalesce(
          sum(borrow_apr * seconds) / nullif(sum(seconds) filter (where borrow_apr is not null), 0),
          avg(borrow_apr)
        ) as borrow_apr,
        coalesce(
          sum(utilization * seconds) / nullif(sum(seconds) filter (where utilization is not null), 0),
          avg(utilization)
        ) as utilization,
        min(deposit_apr) as deposit_apr_min,
        max(deposit_apr) as deposit_apr_max
      from piece
      where is_own or seconds > 0
      group by bank, bucket
    )
    select
      summary.bank,
      summary.bucket,
      summary.samples,
      summary.slot_first,
      summary.slot_last,
      summary.deposit_apr,
      summary.borrow_apr,
      summary.utilization,
      summary.deposit_apr_min,
      summary.deposit_apr_max,
      last.deposit_apr as deposit_apr_close,
      last.total_assets_base,
      last.total_liabilities_base,
      last.asset_share_value,
      last.liability_share_value,
      last.price_usd
    from summary
    -- A bucket that only earlier samples speak for has no slot of its own and drops out here.
    join sample as last on last.bank = summary.bank and last.slot = summary.slot_last
    order by summary.bank, summary.bucket
  `.execute(db);
  return rows;
}

/** First and last sample time of a bank; both null when it was never sampled. */
export interface SampleSpan {
  readonly first: Date | null;
  readonly last: Date | null;
}

/**
 * How far a bank's samples reach.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function readSampleSpan(db: QueryExecutorProvider, bank: string): Promise<SampleSpan> {
  const { rows } = await sql<SampleSpan>`
    select
      (select time from rate_sample where bank = ${bank} order by time limit 1) as first,
      (select time from rate_sample where bank = ${bank} order by time desc limit 1) as last
  `.execute(db);
  return rows[0] ?? { first: null, last: null };
}

/** Time-weighted means of one bank over a trailing window, and what part of the window samples speak for. */
export interface TrailingRateRow {
  readonly bank: string;
  readonly days: number;
  /** Fractions of one a year. */
  readonly deposit_apr: number | null;
  readonly borrow_apr: number | null;
  readonly covered_seconds: number;
  readonly share_value_first: string;
  readonly share_value_last: string;
  /** Seconds between the first and the last sample of the window. */
  readonly span_seconds: number;
}

/**
 * Trailing means of every bank whose samples could cover half of a window; banks with less history are left out before
 * any of their samples is read.
 * Shape: one row per bank, windows end at `until` (inclusive). Units: fractions of one a year, as floats because they are only shown.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function readTrailingRates(
  db: QueryExecutorProvider,
  until: Date,
  days: number,
): Promise<readonly TrailingRateRow[]> {
  const { rows } = await sql<TrailingRateRow>`
    with candidate as (
      select bank.address as bank
      from bank
      cross join lateral (
        select time
        from rate_sample
        where rate_sample.bank = bank.address
          and time > ${until}::timestamptz - make_interval(days => ${days}) and time <= ${until}::timestamptz
        order by time
        limit 1
      ) as first
      where first.time <= ${until}::timestamptz - make_interval(days => ${days}) / 2
    ),
    sample as (
      select
        bank,
        time,
        slot,
        asset_share_value,
        deposit_apr::float8 as deposit_apr,
        borrow_apr::float8 as borrow_apr,
        extract(epoch from least(
          coalesce(lead(time) over (partition by bank order by time, slot), time),
          time + make_interval(secs => ${SAMPLE_HOLD_SECONDS})
        ) - time)::float8 as seconds
      from rate_sample
      join candidate using (bank)
      where time > ${until}::timestamptz - make_interval(days => ${days}) and time <= ${until}::timestamptz
    )
    select
      bank,
      ${days}::integer as days,
      sum(deposit_apr * seconds) / nullif(sum(seconds) filter (where deposit_apr is not null), 0) as deposit_apr,
      sum(borrow_apr * seconds) / nullif(sum(seconds) filter (where borrow_apr is not null), 0) as borrow_apr,
      sum(seconds) as covered_seconds,
      (array_agg(asset_share_value order by time, slot))[1] as share_value_first,
      (array_agg(asset_share_value order by time desc, slot desc))[1] as share_value_last,
      extract(epoch from max(time) - min(time))::float8 as span_seconds
    from sample
    group by bank
  `.execute(db);
  return rows;
}

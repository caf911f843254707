import { type QueryExecutorProvider, sql } from 'kysely';
import { SAMPLE_HOLD_SECONDS } from './sample-buckets.ts';

/** Time-weighted means of one bank or reserve over a trailing window, and what part of the window samples speak for. */
export interface TrailingRateRow {
  /** The bank's or the reserve's address. */
  readonly bank: string;
  readonly days: number;
  /** Fractions of one a year. */
  readonly deposit_apr: number | null;
  readonly borrow_apr: number | null;
  readonly native_apr: number | null;
  readonly emissions_deposit_apr: number | null;
  readonly emissions_borrow_apr: number | null;
  readonly covered_seconds: number;
  /** Exact decimal text; what a deposit was worth is share value × exchange rate (1 where that is null in both). */
  readonly share_value_first: string;
  readonly share_value_last: string;
  readonly exchange_rate_first: string | null;
  readonly exchange_rate_last: string | null;
  /** Seconds between the first and the last of those. */
  readonly span_seconds: number;
}

/**
 * Trailing means of every bank and reserve whose samples could cover half of a window; those with less history are left out before
 * any of their samples is read.
 * Shape: one row each, windows end at `until` (inclusive). Units: fractions of one a year, as floats because they are only shown.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function readTrailingRates(
  db: QueryExecutorProvider,
  until: Date,
  days: number,
): Promise<readonly TrailingRateRow[]> {
  const { rows } = await sql<TrailingRateRow>`
    with candidate as (
      select rate_series.id, rate_series.address
      from rate_series
      cross join lateral (
        select time
        from rate_sample
        where rate_sample.series = rate_series.id
          and time > ${until}::timestamptz - make_interval(days => ${days}) and time <= ${until}::timestamptz
        order by time
        limit 1
      ) as first
      where first.time <= ${until}::timestamptz - make_interval(days => ${days}) / 2
    ),
    sample as (
      select
        candidate.address as bank,
        time,
        slot,
        asset_share_value,
        exchange_rate,
        deposit_apr::float8 as deposit_apr,
        borrow_apr::float8 as borrow_apr,
        native_apr::float8 as native_apr,
        emissions_deposit_apr::float8 as emissions_deposit_apr,
        emissions_borrow_apr::float8 as emissions_borrow_apr,
        extract(epoch from least(
          coalesce(lead(time) over (partition by series order by time, slot), time),
          time + make_interval(secs => ${SAMPLE_HOLD_SECONDS})
        ) - time)::float8 as seconds
      from rate_sample
      join candidate on candidate.id = rate_sample.series
      where time > ${until}::timestamptz - make_interval(days => ${days}) and time <= ${until}::timestamptz
    )
    select
      bank,
      ${days}::integer as days,
      sum(deposit_apr * seconds) / nullif(sum(seconds) filter (where deposit_apr is not null), 0) as deposit_apr,
      sum(borrow_apr * seconds) / nullif(sum(seconds) filter (where borrow_apr is not null), 0) as borrow_apr,
      sum(native_apr * seconds) / nullif(sum(seconds) filter (where native_apr is not null), 0) as native_apr,
      sum(emissions_deposit_apr * seconds)
        / nullif(sum(seconds) filter (where emissions_deposit_apr is not null), 0) as emissions_deposit_apr,
      sum(emissions_borrow_apr * seconds)
        / nullif(sum(seconds) filter (where emissions_borrow_apr is not null), 0) as emissions_borrow_apr,
      sum(seconds) as covered_seconds,
      (array_agg(asset_share_value order by time, slot))[1] as share_value_first,
      (array_agg(asset_share_value order by time desc, slot desc))[1] as share_value_last,
      (array_agg(exchange_rate order by time, slot))[1] as exchange_rate_first,
      (array_agg(exchange_rate order by time desc, slot desc))[1] as exchange_rate_last,
      extract(epoch from max(time) - min(time))::float8 as span_seconds
    from sample
    group by bank
  `.execute(db);
  return rows;
}

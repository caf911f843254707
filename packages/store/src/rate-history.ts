import { type QueryExecutorProvider, sql } from 'kysely';
import { sampleBuckets } from './sample-buckets.ts';

/**
 * What one bank or reserve paid and held in one bucket. APRs and utilisation are fractions of one, as floats because they are only
 * shown; sizes, share values, exchange rates and price exact decimal text. A bucket without a sample has no row.
 */
export interface RateBucketRow {
  /** The bank's or the reserve's address. */
  readonly bank: string;
  readonly bucket: Date;
  /** Backfilled buckets stand only where nothing was polled; they have no samples, slots and share values. */
  readonly source: 'poller' | 'backfill_venue_api' | 'backfill_account_changes';
  readonly samples: number;
  readonly slot_first: bigint | null;
  readonly slot_last: bigint | null;
  /** Seconds of the bucket that samples speak for. */
  readonly covered_seconds: number;
  /** Means over the part of the bucket that samples speak for. */
  readonly deposit_apr: number | null;
  readonly borrow_apr: number | null;
  readonly native_apr: number | null;
  readonly emissions_deposit_apr: number | null;
  readonly emissions_borrow_apr: number | null;
  readonly utilization: number | null;
  readonly deposit_apr_min: number | null;
  readonly deposit_apr_max: number | null;
  readonly deposit_apr_close: number | null;
  /** As the bucket's last sample had them. */
  readonly total_assets_base: string | null;
  readonly total_liabilities_base: string | null;
  readonly available_liquidity_base: string | null;
  readonly asset_share_value: string | null;
  readonly liability_share_value: string | null;
  readonly exchange_rate: string | null;
  readonly native_exchange_rate: string | null;
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
 * Rates of banks and reserves in buckets of equal length (UTC, aligned to 1970), as `sampleBuckets` weighs them.
 * Shape: by bank, then by time; a bucket without a sample of its own has no row.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function readRateHistory(
  db: QueryExecutorProvider,
  range: RateHistoryRange,
): Promise<readonly RateBucketRow[]> {
  const { banks, start, end, bucketSeconds } = range;
  const buckets = sampleBuckets({
    series: sql`select id from rate_series where address = any(${banks as string[]})`,
    start: sql`${start}::timestamptz`,
    end: sql`${end}::timestamptz`,
    bucketSeconds,
    isSettled: false,
  });
  const { rows } = await sql<RateBucketRow>`
    select ${BUCKET_COLUMNS}
    from (${buckets}) as bucket
    join rate_series on rate_series.id = bucket.series
    order by rate_series.address, bucket.bucket
  `.execute(db);
  return rows;
}

const BUCKET_COLUMNS = sql`
  rate_series.address as bank,
  bucket.bucket,
  bucket.source,
  bucket.samples,
  bucket.slot_first,
  bucket.slot_last,
  bucket.covered_seconds::float8 as covered_seconds,
  bucket.deposit_apr::float8 as deposit_apr,
  bucket.borrow_apr::float8 as borrow_apr,
  bucket.native_apr::float8 as native_apr,
  bucket.emissions_deposit_apr::float8 as emissions_deposit_apr,
  bucket.emissions_borrow_apr::float8 as emissions_borrow_apr,
  bucket.utilization::float8 as utilization,
  bucket.deposit_apr_min::float8 as deposit_apr_min,
  bucket.deposit_apr_max::float8 as deposit_apr_max,
  bucket.deposit_apr_close::float8 as deposit_apr_close,
  bucket.total_assets_base,
  bucket.total_liabilities_base,
  bucket.available_liquidity_base,
  bucket.asset_share_value,
  bucket.liability_share_value,
  bucket.exchange_rate,
  bucket.native_exchange_rate,
  bucket.price_usd
`;

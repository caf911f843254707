import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { hourDays } from './hour-days.ts';
import { locateSeries } from './locate-series.ts';
import { columnList, ROLL_UP_COLUMNS } from './roll-up-columns.ts';
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
 * Rates of banks and reserves in buckets of equal length (UTC, aligned to 1970). Hours and days are those rolled up, and after the
 * watermark what the samples say so far; other lengths are computed from samples, as far back as those are kept.
 * Shape: by bank, then by time; a bucket without a sample of its own has no row.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function readRateHistory(
  db: QueryExecutorProvider,
  range: RateHistoryRange,
): Promise<readonly RateBucketRow[]> {
  const { series, rolledBefore } = await locateSeries(db, range.banks);
  if (series.size === 0 || range.start >= range.end) return [];
  const wanted = { ...range, series: [...series.keys()], rolledBefore };
  const { rows } = await sql<Omit<RateBucketRow, 'bank'> & { readonly series: number }>`
    select ${BUCKET_COLUMNS}
    from (${bucketsOf(wanted)}) as bucket
    order by bucket.series, bucket.bucket
  `.execute(db);
  const byBank = rows.map(({ series: id, ...row }) => ({ bank: series.get(id) ?? '', ...row }));
  return range.banks.length === 1 ? byBank : byBank.sort((a, b) => compare(a.bank, b.bank));
}

interface WantedBuckets {
  readonly series: readonly number[];
  readonly start: Date;
  readonly end: Date;
  readonly bucketSeconds: number;
  /** Hours before it are rolled up. */
  readonly rolledBefore: Date | null;
}

function bucketsOf(wanted: WantedBuckets): RawBuilder<unknown> {
  if (wanted.bucketSeconds === HOUR_SECONDS) return hoursOf(wanted);
  if (wanted.bucketSeconds === DAY_SECONDS) return daysOf(wanted);
  return sampleBuckets({ ...wanted, silence: 'newest' });
}

/** Hours rolled up, and from samples those that are not; a backfilled hour stands where there is no sample. */
function hoursOf({ series, start, end, rolledBefore }: WantedBuckets): RawBuilder<unknown> {
  const rolled = sql`
    select ${columnList(ROLL_UP_COLUMNS)}
    from rate_hour
    where series = any(${[...series]}::integer[]) and bucket >= ${start}::timestamptz and bucket < ${end}::timestamptz
  `;
  const tailStart = later(start, rolledBefore);
  if (tailStart >= end) return rolled;
  const tail = sampleBuckets({ series, start: tailStart, end, bucketSeconds: HOUR_SECONDS, silence: 'newest' });
  return firstOfEach(tail, rolled);
}

/** Days rolled up, and from hours those that are not over. */
function daysOf({ series, start, end, rolledBefore }: WantedBuckets): RawBuilder<unknown> {
  const rolled = sql`
    select ${columnList(ROLL_UP_COLUMNS)}
    from rate_day
    where series = any(${[...series]}::integer[]) and bucket >= ${start}::timestamptz and bucket < ${end}::timestamptz
  `;
  const dayMs = DAY_SECONDS * 1000;
  const rolledDays = rolledBefore === null ? null : new Date(Math.floor(rolledBefore.getTime() / dayMs) * dayMs);
  const tailStart = later(start, rolledDays);
  if (tailStart >= end) return rolled;
  const hours = hoursOf({ series, start: tailStart, end, bucketSeconds: HOUR_SECONDS, rolledBefore });
  return firstOfEach(hourDays(hours), rolled);
}

/** What samples say, and of what is stored the buckets that they say nothing about. */
function firstOfEach(tail: RawBuilder<unknown>, stored: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    with tail as materialized (${tail})
    select ${columnList(ROLL_UP_COLUMNS)} from tail
    union all
    select * from (${stored}) as stored
    where not exists (select from tail where tail.series = stored.series and tail.bucket = stored.bucket)
  `;
}

function later(time: Date, other: Date | null): Date {
  return other !== null && other > time ? other : time;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;

const BUCKET_COLUMNS = sql`
  bucket.series,
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

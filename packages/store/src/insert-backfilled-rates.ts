import type { Venue } from '@lending/domain';
import { sql } from 'kysely';
import type { Transaction } from './create-store.ts';
import { resolveSeries } from './rate-series.ts';
import { rollDays } from './roll-up-rates.ts';

/** One bucket of the past as somebody else recorded it. Fractions of one, base units and USD as exact decimal text. */
export interface BackfilledPoint {
  /** Start of the bucket, ISO-8601. */
  readonly time: string;
  /** Means of the bucket. */
  readonly depositApr: string | null;
  readonly borrowApr: string | null;
  readonly utilization: string | null;
  /** As at the end of the bucket. */
  readonly totalAssetsBase: string | null;
  readonly totalLiabilitiesBase: string | null;
  readonly exchangeRate: string | null;
  readonly priceUsd: string | null;
}

/** Buckets of one bank or reserve, all of one length. */
export interface BackfilledRatesWrite {
  readonly bank: string;
  readonly kind: 'bank' | 'reserve';
  readonly venue: Venue;
  readonly interval: '1h' | '1d';
  readonly origin: 'backfill_venue_api' | 'backfill_account_changes';
  readonly points: readonly BackfilledPoint[];
  /** When they were asked for, ISO-8601: the day of that is not over. */
  readonly askedAt: string;
  readonly source: 'chain' | 'localnet';
}

/**
 * Fills buckets of the past that no sample of ours is in; a bucket that was polled stays as it is, one that was filled before is
 * written anew. Rolling up samples into such a bucket later replaces it. Lowest, highest and closing rate stay null: of a mean they
 * cannot be known.
 */
export async function insertBackfilledRates(
  transaction: Transaction,
  writes: readonly BackfilledRatesWrite[],
): Promise<void> {
  if (writes.length === 0) return;
  const series = await resolveSeries(transaction, writes);
  for (const write of writes) {
    const id = series.get(write.bank);
    if (id === undefined || write.points.length === 0) continue;
    await insertPoints(transaction, write, id);
    if (write.interval === '1h') await rollDaysOf(transaction, write, id);
  }
}

/** The days that backfilled hours are of; one with a polled hour stays as it is, and one that is not over has no row yet. */
async function rollDaysOf(
  transaction: Transaction,
  { points, askedAt }: BackfilledRatesWrite,
  series: number,
): Promise<void> {
  const times = points.map(({ time }) => Date.parse(time));
  const start = floorToDay(Math.min(...times));
  const end = Math.min(floorToDay(Math.max(...times)) + DAY_MS, floorToDay(Date.parse(askedAt)));
  if (start < end) await rollDays(transaction, [series], new Date(start), new Date(end));
}

function floorToDay(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS) * DAY_MS;
}

const DAY_MS = 86_400_000;

async function insertPoints(transaction: Transaction, write: BackfilledRatesWrite, series: number): Promise<void> {
  const { points, interval, origin } = write;
  const column = <K extends keyof BackfilledPoint>(name: K): BackfilledPoint[K][] => points.map((point) => point[name]);
  const table = sql.table(interval === '1h' ? 'rate_hour' : 'rate_day');
  const length = interval === '1h' ? sql.lit('1 hour') : sql.lit('1 day');
  await sql`
    insert into ${table} as stored (
      series, bucket, source, samples, covered_seconds, time_first, time_last,
      deposit_apr, borrow_apr, utilization, total_assets_base, total_liabilities_base, exchange_rate, price_usd
    )
    select distinct on (bucket)
      ${series}::integer, bucket, ${origin}, 0, extract(epoch from ${length}::interval), bucket, bucket + ${length}::interval,
      deposit_apr, borrow_apr, utilization, total_assets_base, total_liabilities_base, exchange_rate, price_usd
    from unnest(
      ${column('time')}::timestamptz[],
      ${column('depositApr')}::numeric[],
      ${column('borrowApr')}::numeric[],
      ${column('utilization')}::numeric[],
      ${column('totalAssetsBase')}::numeric[],
      ${column('totalLiabilitiesBase')}::numeric[],
      ${column('exchangeRate')}::numeric[],
      ${column('priceUsd')}::numeric[]
    ) as point (
      time, deposit_apr, borrow_apr, utilization, total_assets_base, total_liabilities_base, exchange_rate, price_usd
    )
    cross join lateral date_bin(${length}::interval, time, 'epoch'::timestamptz) as bucket
    order by bucket, time
    on conflict (series, bucket) do update set
      source = excluded.source,
      deposit_apr = excluded.deposit_apr,
      deposit_apr_min = excluded.deposit_apr_min,
      deposit_apr_max = excluded.deposit_apr_max,
      deposit_apr_close = excluded.deposit_apr_close,
      borrow_apr = excluded.borrow_apr,
      utilization = excluded.utilization,
      total_assets_base = excluded.total_assets_base,
      total_liabilities_base = excluded.total_liabilities_base,
      exchange_rate = excluded.exchange_rate,
      price_usd = excluded.price_usd
    where stored.source <> 'poller'
  `.execute(transaction);
}

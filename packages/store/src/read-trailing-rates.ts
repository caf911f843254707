import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { locateSeries } from './locate-series.ts';
import { sampleBuckets } from './sample-buckets.ts';

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
  /** Exact decimal text. What a deposit was worth is share value × exchange rate; the latter is known of both ends or of none. */
  readonly share_value_first: string;
  readonly share_value_last: string;
  readonly exchange_rate_first: string | null;
  readonly exchange_rate_last: string | null;
  /** Seconds between the first and the last of those. */
  readonly span_seconds: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Trailing means of every bank and reserve whose samples could cover half of a window; those with less history are left out.
 *
 * Made of whole days, of hours at both ends and of the samples that are not rolled up yet. The window ends at `until` (inclusive) and
 * begins with the hour that `days` before falls in. Growth is measured between the ends of the first and the last hour with samples.
 * Units: fractions of one a year, as floats because they are only shown.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function readTrailingRates(
  db: QueryExecutorProvider,
  until: Date,
  days: number,
): Promise<readonly TrailingRateRow[]> {
  const { series, rolledBefore } = await locateSeries(db, 'all');
  const window = windowOf(until, days, rolledBefore);
  const { rows } = await sql<Omit<TrailingRateRow, 'bank'> & { readonly series: number }>`
    with tail as materialized (${window.tail}),
    piece as (${piecesOf(window)}),
    mean as (
      select
        series,
        min(time_first) as time_first,
        ${sql.join(MEANS.map((column) => sql`${meanOf(column)} as ${sql.ref(column)}`))},
        sum(covered_seconds)::float8 as covered_seconds
      from piece
      group by series
    )
    select
      mean.series,
      ${days}::integer as days,
      ${sql.join(MEANS.map((column) => sql`mean.${sql.ref(column)}`))},
      mean.covered_seconds,
      first.asset_share_value as share_value_first,
      last.asset_share_value as share_value_last,
      first.exchange_rate as exchange_rate_first,
      last.exchange_rate as exchange_rate_last,
      extract(epoch from last.time_last - first.time_last)::float8 as span_seconds
    from mean
    cross join lateral (${closingOf(window, sql`desc`, sql`true`)}) as last
    cross join lateral (
      ${closingOf(window, sql`asc`, sql`(exchange_rate is null) = (last.exchange_rate is null)`)}
    ) as first
    where mean.time_first <= ${until}::timestamptz - make_interval(days => ${days}) / 2
  `.execute(db);
  return rows.map(({ series: id, ...row }) => ({ ...row, bank: series.get(id) ?? '' }));
}

const MEANS = ['deposit_apr', 'borrow_apr', 'native_apr', 'emissions_deposit_apr', 'emissions_borrow_apr'] as const;

function meanOf(column: string): RawBuilder<unknown> {
  return sql`(
    sum(${sql.ref(column)} * covered_seconds)
    / nullif(sum(covered_seconds) filter (where ${sql.ref(column)} is not null), 0)
  )::float8`;
}

/** A window in time order: hours up to the first whole day, days, hours of the day that is not over, samples. */
interface Window {
  readonly start: Date;
  readonly daysFrom: Date;
  readonly daysTo: Date;
  readonly rolledTo: Date;
  /** Hours made of the samples after `rolledTo`. */
  readonly tail: RawBuilder<unknown>;
}

function windowOf(until: Date, days: number, rolledBefore: Date | null): Window {
  const startMs = floorTo(until.getTime() - days * DAY_MS, HOUR_MS);
  const thisHourMs = floorTo(until.getTime(), HOUR_MS);
  const rolledToMs = Math.min(Math.max(rolledBefore?.getTime() ?? startMs, startMs), thisHourMs);
  const daysFromMs = Math.min(ceilTo(startMs, DAY_MS), rolledToMs);
  const daysToMs = Math.max(floorTo(rolledToMs, DAY_MS), daysFromMs);
  const rolledTo = new Date(rolledToMs);
  const tail = sampleBuckets({
    series: 'all',
    start: rolledTo,
    end: new Date(thisHourMs + HOUR_MS),
    bucketSeconds: HOUR_MS / 1000,
    silence: until,
  });
  return { start: new Date(startMs), daysFrom: new Date(daysFromMs), daysTo: new Date(daysToMs), rolledTo, tail };
}

/** Every piece of the window once, whatever table it is in. */
function piecesOf({ start, daysFrom, daysTo, rolledTo }: Window): RawBuilder<unknown> {
  const columns = sql.join(['series', 'time_first', 'covered_seconds', ...MEANS].map((column) => sql.ref(column)));
  const stored = (table: 'rate_hour' | 'rate_day', from: Date, to: Date) => sql`
    select ${columns}
    from rate_series
    cross join lateral (
      select * from ${sql.table(table)}
      where series = rate_series.id and bucket >= ${from}::timestamptz and bucket < ${to}::timestamptz
    ) as stored
  `;
  return sql`
    ${stored('rate_hour', start, daysFrom)}
    union all ${stored('rate_day', daysFrom, daysTo)}
    union all ${stored('rate_hour', daysTo, rolledTo)}
    union all select ${columns} from tail
  `;
}

/** The first or the last hour of the series in `mean` whose samples are known. */
function closingOf(
  { start, rolledTo }: Window,
  order: RawBuilder<unknown>,
  condition: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const columns = sql`bucket, time_last, asset_share_value, exchange_rate`;
  const stored = sql`
    select ${columns}
    from rate_hour
    where series = mean.series
      and bucket >= ${start}::timestamptz
      and bucket < ${rolledTo}::timestamptz
      and asset_share_value is not null
      and ${condition}
    order by bucket ${order}
    limit 1
  `;
  return sql`
    select *
    from ((${stored}) union all select ${columns} from tail where tail.series = mean.series and ${condition}) as hour
    order by bucket ${order}
    limit 1
  `;
}

function floorTo(valueMs: number, stepMs: number): number {
  return Math.floor(valueMs / stepMs) * stepMs;
}

function ceilTo(valueMs: number, stepMs: number): number {
  return Math.ceil(valueMs / stepMs) * stepMs;
}

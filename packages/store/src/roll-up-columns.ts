import { type RawBuilder, sql } from 'kysely';

/** Means of a bucket, weighed by the time that each value held. */
export const MEAN_COLUMNS = [
  'deposit_apr',
  'borrow_apr',
  'native_apr',
  'emissions_deposit_apr',
  'emissions_borrow_apr',
  'utilization',
] as const;

/** What the last sample of a bucket said. */
export const CLOSING_COLUMNS = [
  'total_assets_base',
  'total_liabilities_base',
  'available_liquidity_base',
  'asset_share_value',
  'liability_share_value',
  'exchange_rate',
  'native_exchange_rate',
  'price_usd',
] as const;

/** Every column of `rate_hour` and `rate_day`, in one order. */
export const ROLL_UP_COLUMNS = [
  'series',
  'bucket',
  'source',
  'samples',
  'covered_seconds',
  'time_first',
  'time_last',
  'slot_first',
  'slot_last',
  ...MEAN_COLUMNS,
  'deposit_apr_min',
  'deposit_apr_max',
  'deposit_apr_close',
  ...CLOSING_COLUMNS,
] as const;

export function columnList(columns: readonly string[], table?: string): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(table === undefined ? column : `${table}.${column}`)));
}

/** A mean by weight with 18 decimals; of values that hold for no time at all the plain mean, null where there is no value. */
export function weightedMean(column: string, weight: string): RawBuilder<unknown> {
  const [value, seconds] = [sql.ref(column), sql.ref(weight)];
  return sql`round(coalesce(
    sum(${value} * ${seconds}) / nullif(sum(${seconds}) filter (where ${value} is not null), 0),
    avg(${value})
  ), 18)`;
}

/** The value of the one row that `is_last`. */
export function lastOf(column: string): RawBuilder<unknown> {
  return sql`max(${sql.ref(column)}) filter (where is_last)`;
}

/** `mean as mean, …, last as last, …` of the columns above, as one select list. */
export function meansAndClosings(weight: string): RawBuilder<unknown> {
  return sql.join([
    ...MEAN_COLUMNS.map((column) => sql`${weightedMean(column, weight)} as ${sql.ref(column)}`),
    ...CLOSING_COLUMNS.map((column) => sql`${lastOf(column)} as ${sql.ref(column)}`),
  ]);
}

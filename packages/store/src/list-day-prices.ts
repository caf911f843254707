import { type QueryExecutorProvider, sql } from 'kysely';

/** The prices that days of one bank closed with, oldest first; a day without one is missing. */
export interface DayPricesRow {
  readonly bank: string;
  /** Days since 1970 (UTC). */
  readonly days: readonly number[];
  /** USD for one UI token, exact decimal text above 0; one for each of `days`. */
  readonly prices: readonly string[];
}

/**
 * Closing prices of every whole day of the last three years that is rolled up or was backfilled, by bank. Three years have more than a
 * thousand changes over a month, so that the worst twentieth is some fifty; what is older would only make the answer larger.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function listDayPrices(db: QueryExecutorProvider): Promise<readonly DayPricesRow[]> {
  const { rows } = await sql<DayPricesRow>`
    select
      address as bank,
      array_agg((extract(epoch from bucket) / 86400)::integer order by bucket) as days,
      array_agg(price_usd::text order by bucket) as prices
    from rate_day
    join rate_series on rate_series.id = rate_day.series
    where kind = 'bank' and price_usd > 0 and bucket >= now() - interval '3 years'
    group by address
    order by address
  `.execute(db);
  return rows;
}

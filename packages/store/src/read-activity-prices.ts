import { type QueryExecutorProvider, sql } from 'kysely';
import { SAMPLE_HOLD_SECONDS } from './sample-buckets.ts';

/** What one token of a bank, and one receipt that it holds, was worth at a time; null where that is not known. */
export interface ActivityPriceRow {
  readonly bank: string;
  readonly time: Date;
  /** USD, exact decimal text. */
  readonly price_usd: string | null;
  /** Tokens for one receipt of its venue, exact decimal text; null for P0's own banks, and where it was not recorded then. */
  readonly exchange_rate: string | null;
}

/**
 * Prices of banks at times, in the order in which they are asked for: by the newest sample at or before, for as long as a sample
 * speaks; else by the hour.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function readActivityPrices(
  db: QueryExecutorProvider,
  asked: readonly { readonly bank: string; readonly time: Date }[],
): Promise<readonly ActivityPriceRow[]> {
  if (asked.length === 0) return [];
  const { rows } = await sql<ActivityPriceRow>`
    select asked.bank, asked.time, coalesce(sample.price_usd, hour.price_usd) as price_usd,
      coalesce(sample.exchange_rate, hour.exchange_rate) as exchange_rate
    from unnest(
      ${asked.map(({ bank }) => bank)}::text[],
      ${asked.map(({ time }) => time)}::timestamptz[]
    ) with ordinality as asked (bank, time, nth)
    left join rate_series on rate_series.address = asked.bank
    left join lateral (
      select price_usd, exchange_rate from rate_sample
      where series = rate_series.id
        and rate_sample.time <= asked.time
        and rate_sample.time > asked.time - make_interval(secs => ${sql.lit(SAMPLE_HOLD_SECONDS)})
        and price_usd is not null
      order by rate_sample.time desc, slot desc
      limit 1
    ) as sample on true
    left join rate_hour as hour
      on hour.series = rate_series.id and hour.bucket = date_bin('1 hour', asked.time, 'epoch'::timestamptz)
    order by asked.nth
  `.execute(db);
  return rows;
}

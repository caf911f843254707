import { type QueryExecutorProvider, sql } from 'kysely';

/** What one whole token of a bank or reserve was worth in its stake pool, when it was last measured before some time. */
export interface NativeExchangeRateRow {
  readonly address: string;
  /** SOL for one token, exact decimal text. */
  readonly native_exchange_rate: string;
  readonly time: Date;
  readonly slot: bigint;
}

/**
 * The last measured native exchange rates at or before a time, of every series that has one: from samples of three hours, else from
 * hours of ten days. An epoch takes two days.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function readNativeExchangeRates(
  db: QueryExecutorProvider,
  before: Date,
): Promise<readonly NativeExchangeRateRow[]> {
  const { rows } = await sql<NativeExchangeRateRow>`
    select rate_series.address, found.native_exchange_rate, found.time, found.slot
    from rate_series
    cross join lateral (
      (
        select native_exchange_rate, time, slot
        from rate_sample
        where series = rate_series.id
          and time <= ${before}::timestamptz
          and time > ${before}::timestamptz - interval '3 hours'
          and native_exchange_rate is not null
        order by time desc, slot desc
        limit 1
      )
      union all
      (
        select native_exchange_rate, time_last, slot_last
        from rate_hour
        where series = rate_series.id
          and bucket <= ${before}::timestamptz
          and bucket > ${before}::timestamptz - interval '10 days'
          and time_last <= ${before}::timestamptz
          and native_exchange_rate is not null
          and slot_last is not null
        order by bucket desc
        limit 1
      )
      order by time desc, slot desc
      limit 1
    ) as found
    order by rate_series.address
  `.execute(db);
  return rows;
}

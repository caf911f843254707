import { type QueryExecutorProvider, sql } from 'kysely';

/** How far back and forth the history of one bank or reserve reaches. Null is nothing of that kind. */
export interface HistorySpan {
  /** First samples of its own; those before were dropped for age, or there were none. */
  readonly first_sample: Date | null;
  /** First of the stored hours and days; backfilled ones reach back further than samples ever did. */
  readonly first_hour: Date | null;
  readonly first_day: Date | null;
  readonly last: Date | null;
  /** Hours of any bank before it are stored, later ones are made from samples. */
  readonly rolled_before: Date | null;
}

/**
 * How far what is known of banks and reserves reaches, for each way it is kept: one of each, in the order asked for.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function readHistorySpans(
  db: QueryExecutorProvider,
  addresses: readonly string[],
): Promise<readonly HistorySpan[]> {
  if (addresses.length === 0) return [];
  const { rows } = await sql<HistorySpan>`
    select
      (select time from rate_sample where series = id order by time limit 1) as first_sample,
      (select time_first from rate_hour where series = id order by bucket limit 1) as first_hour,
      (select time_first from rate_day where series = id order by bucket limit 1) as first_day,
      greatest(
        (select time from rate_sample where series = id order by time desc limit 1),
        (select time_last from rate_hour where series = id order by bucket desc limit 1),
        (select time_last from rate_day where series = id order by bucket desc limit 1)
      ) as last,
      (select rolled_before from rate_roll_up) as rolled_before
    from unnest(${[...addresses]}::text[]) with ordinality as asked (address, nth)
    left join rate_series on rate_series.address = asked.address
    order by nth
  `.execute(db);
  return rows;
}

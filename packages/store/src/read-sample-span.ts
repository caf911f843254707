import { type QueryExecutorProvider, sql } from 'kysely';

/** First and last sample time of a bank or reserve, rolled-up hours and days included; both null when nothing is known of it. */
export interface SampleSpan {
  readonly first: Date | null;
  readonly last: Date | null;
}

/**
 * How far back and forth what is known of a bank or reserve reaches.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function readSampleSpan(db: QueryExecutorProvider, bank: string): Promise<SampleSpan> {
  const { rows } = await sql<SampleSpan>`
    select
      least(
        (select time from rate_sample where series = id order by time limit 1),
        (select time_first from rate_hour where series = id order by bucket limit 1),
        (select time_first from rate_day where series = id order by bucket limit 1)
      ) as first,
      greatest(
        (select time from rate_sample where series = id order by time desc limit 1),
        (select time_last from rate_hour where series = id order by bucket desc limit 1),
        (select time_last from rate_day where series = id order by bucket desc limit 1)
      ) as last
    from rate_series
    where address = ${bank}
  `.execute(db);
  return rows[0] ?? { first: null, last: null };
}

import { type QueryExecutorProvider, sql } from 'kysely';

/** What the tables say about the service as a whole. */
export interface ServiceStatusRow {
  readonly banks: number;
  /** The newest sample of any bank or reserve; null before the first. */
  readonly newest_slot: bigint | null;
  readonly newest_time: Date | null;
  readonly source: 'chain' | 'localnet' | null;
}

export interface ConsumerStatusRow {
  readonly consumer_group: string;
  readonly topic: string;
  readonly partitions: number;
  /** Next offset to read, summed over the partitions. It grows as messages are handled; it is no count of them, since a log need
   * not begin at 0 nor be without holes. */
  readonly position: string;
  readonly updated_at: Date;
}

/**
 * Whether the tables exist at all: false before the first migration ran.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function hasTables(db: QueryExecutorProvider): Promise<boolean> {
  const { rows } = await sql<{ present: boolean }>`
    select to_regclass('bank') is not null and to_regclass('rate_sample') is not null as present
  `.execute(db);
  return rows[0]?.present ?? false;
}

/**
 * Newest data of any bank or reserve. One index probe for each.
 * @throws STORE__UNAVAILABLE when the database does not answer; before the tables exist the driver's own error: ask `hasTables` first.
 */
export async function readServiceStatus(db: QueryExecutorProvider): Promise<ServiceStatusRow> {
  const { rows } = await sql<ServiceStatusRow>`
    select
      (select count(*)::integer from bank) as banks,
      sample.slot as newest_slot,
      sample.time as newest_time,
      sample.source
    from (select 1) as one
    left join lateral (
      select newest.slot, newest.time, rate_series.source
      from rate_series
      cross join lateral (
        select slot, time from rate_sample where rate_sample.series = rate_series.id order by time desc, slot desc limit 1
      ) as newest
      order by newest.time desc, newest.slot desc
      limit 1
    ) as sample on true
  `.execute(db);
  return rows[0] ?? { banks: 0, newest_slot: null, newest_time: null, source: null };
}

/**
 * How far every consumer group came, per topic.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function listConsumers(db: QueryExecutorProvider): Promise<readonly ConsumerStatusRow[]> {
  const { rows } = await sql<ConsumerStatusRow>`
    select
      consumer_group,
      topic,
      count(*)::integer as partitions,
      sum(next_offset) as position,
      max(updated_at) as updated_at
    from consumer_offset
    group by consumer_group, topic
    order by consumer_group, topic
  `.execute(db);
  return rows;
}

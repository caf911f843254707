import { deadTopicOf, type Topic } from '@lending/events';
import type { Pool } from 'pg';
import type { LogExtent } from '#bus.ts';
import type { LogRecord } from '#log-record.ts';

interface Row {
  readonly log_offset: string;
  readonly key: string | null;
  readonly value: string;
  readonly headers: Readonly<Record<string, string>> | null;
}

/** The records of a partition from `from` on, oldest first, at most `limit`. */
export async function readRecords(
  pool: Pool,
  partitionId: number,
  from: bigint,
  limit: number,
): Promise<readonly LogRecord[]> {
  const { rows } = await pool.query<Row>({
    name: 'read-records',
    text: `
      select log_offset, key, value, headers from log_message
      where partition_id = $1 and log_offset >= $2
      order by log_offset
      limit $3`,
    values: [partitionId, from, limit],
  });
  // Looked into here: Postgres refuses to where a header has a NUL in it.
  return rows.map(({ log_offset: offset, key, value, headers }) => ({
    offset: BigInt(offset),
    key,
    value,
    traceparent: headers?.traceparent ?? null,
  }));
}

/** One past the newest record of each partition, by its id. */
export async function fetchEndOffsets(
  pool: Pool,
  partitionIds: readonly number[],
): Promise<ReadonlyMap<number, bigint>> {
  const { rows } = await pool.query<{ id: number; next_offset: string }>({
    name: 'read-end-offsets',
    text: 'select id, next_offset from log_partition where id = any($1::int[])',
    values: [partitionIds],
  });
  return new Map(rows.map(({ id, next_offset: end }) => [id, BigInt(end)]));
}

/** What every partition of the topics holds. */
export async function fetchExtents(pool: Pool, topics: readonly Topic[]): Promise<readonly LogExtent[]> {
  const rows = await queryExtents(pool, topics);
  return rows.map(({ topic, partition, oldest, next_offset }) => ({
    topic: topic as Topic,
    partition,
    oldest: BigInt(oldest),
    next: BigInt(next_offset),
  }));
}

/** What each topic's dead topic holds. */
export async function countDead(pool: Pool, topics: readonly Topic[]): Promise<ReadonlyMap<Topic, bigint>> {
  const rows = await queryExtents(pool, topics.map(deadTopicOf));
  const counts = new Map(rows.map(({ topic, oldest, next_offset }) => [topic, BigInt(next_offset) - BigInt(oldest)]));
  return new Map(topics.map((topic) => [topic, counts.get(deadTopicOf(topic)) ?? 0n]));
}

interface ExtentRow {
  readonly topic: string;
  readonly partition: number;
  readonly oldest: string;
  readonly next_offset: string;
}

async function queryExtents(pool: Pool, topics: readonly string[]): Promise<readonly ExtentRow[]> {
  const { rows } = await pool.query<ExtentRow>(
    `select
       topic, partition, next_offset,
       coalesce(
         (select log_offset from log_message where partition_id = log_partition.id order by log_offset limit 1),
         next_offset
       ) as oldest
     from log_partition
     where topic = any($1::text[])
     order by topic, partition`,
    [topics],
  );
  return rows;
}

import type { Topic } from '@lending/events';
import type { Pool } from 'pg';
import type { LogExtent } from '#bus.ts';
import type { LogRecord } from '#log-record.ts';

interface Row {
  readonly log_offset: string;
  readonly key: string | null;
  readonly value: string;
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
      select log_offset, key, value from log_message
      where partition_id = $1 and log_offset >= $2
      order by log_offset
      limit $3`,
    values: [partitionId, from, limit],
  });
  return rows.map((row) => ({ offset: BigInt(row.log_offset), key: row.key, value: row.value }));
}

/** One past the newest record of a partition. */
export async function fetchEndOffset(pool: Pool, partitionId: number): Promise<bigint> {
  const { rows } = await pool.query<{ next_offset: string }>('select next_offset from log_partition where id = $1', [
    partitionId,
  ]);
  return BigInt(rows[0]?.next_offset ?? 0);
}

/** What every partition of the topics holds. */
export async function fetchExtents(pool: Pool, topics: readonly Topic[]): Promise<readonly LogExtent[]> {
  const { rows } = await pool.query<{ topic: Topic; partition: number; oldest: string; next_offset: string }>(
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
  return rows.map(({ topic, partition, oldest, next_offset }) => ({
    topic,
    partition,
    oldest: BigInt(oldest),
    next: BigInt(next_offset),
  }));
}

import { deadTopicOf, TOPICS, type Topic } from '@lending/events';
import type { Pool } from 'pg';
import type { LogPartition } from './assign-partitions.ts';

/** Creates the partitions of every topic and dead topic that are missing. Safe to run at the same time elsewhere. */
export async function createPartitions(pool: Pool): Promise<readonly LogPartition[]> {
  const wanted = Object.entries(TOPICS).flatMap(([topic, { partitions }]) => [
    ...Array.from({ length: partitions }, (_, partition) => ({ topic, partition })),
    { topic: deadTopicOf(topic as Topic), partition: 0 },
  ]);
  await pool.query(
    `insert into log_partition (topic, partition)
     select w.topic, w.partition from unnest($1::text[], $2::int[]) as w (topic, partition)
     where not exists (select from log_partition p where p.topic = w.topic and p.partition = w.partition)
     on conflict do nothing`,
    [wanted.map((w) => w.topic), wanted.map((w) => w.partition)],
  );
  const { rows } = await pool.query<LogPartition>('select id, topic, partition from log_partition order by id');
  return rows;
}

import { type QueryExecutorProvider, sql } from 'kysely';
import type { Database } from './create-store.ts';

/** Where a group stands in every partition it consumed of, and when that was, by the database's clock. */
export interface GroupPositions {
  readonly readAt: Date;
  /** By `topic/partition`. */
  readonly positions: ReadonlyMap<string, bigint>;
}

/** What waits in one partition. */
export interface PartitionLag {
  readonly topic: string;
  readonly partition: number;
  /** One past the newest message. */
  readonly endOffset: bigint;
  readonly behind: bigint;
  /** Null when nothing waits. */
  readonly waitingSince: Date | null;
  readonly handledPerSecond: number | null;
}

export interface ConsumerLagWrite {
  readonly group: string;
  readonly measuredAt: Date;
  readonly lags: readonly PartitionLag[];
  /** Messages on the dead topic of each topic. */
  readonly dead: readonly { readonly topic: string; readonly messages: bigint }[];
}

/** What waits for a group in one topic, as it was measured last. */
export interface TopicLagRow {
  readonly consumer_group: string;
  readonly topic: string;
  readonly partitions: number;
  readonly behind: bigint;
  readonly worst_partition: number;
  readonly worst_behind: bigint;
  /** How long the oldest message that waited had been there when that was measured; null when none waited. */
  readonly waiting_ms: number | null;
  readonly handled_per_second: number | null;
  /** Null before anybody looked. */
  readonly dead: bigint | null;
  /** The oldest reading of its partitions. */
  readonly measured_at: Date;
  readonly measured_ms: number;
}

/**
 * Where the group stands everywhere.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function readGroupPositions(db: QueryExecutorProvider, group: string): Promise<GroupPositions> {
  const { rows } = await sql<{ read_at: Date; topic: string | null; partition: number; next_offset: bigint }>`
    select read_at, topic, partition, next_offset
    from (select now() as read_at) as clock
    left join consumer_offset on consumer_group = ${group}
  `.execute(db);
  return {
    readAt: rows[0]?.read_at ?? new Date(),
    positions: new Map(
      rows.flatMap((row) => (row.topic === null ? [] : [[`${row.topic}/${row.partition}`, row.next_offset] as const])),
    ),
  };
}

/**
 * Keeps what was measured, unless somebody measured later. What nobody measured for a day (a topic that is no more) is dropped.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function writeConsumerLags(db: Database, write: ConsumerLagWrite): Promise<void> {
  const { group, measuredAt, dead } = write;
  // One order, so that two who write at once wait for each other instead of for each other's rows.
  const lags = write.lags.toSorted((a, b) => a.topic.localeCompare(b.topic) || a.partition - b.partition);
  await db.transaction().execute(async (transaction) => {
    await sql`
      insert into consumer_lag as stored
        (consumer_group, topic, partition, end_offset, behind, waiting_since, handled_per_second, measured_at)
      select ${group}, *, ${measuredAt}::timestamptz from unnest(
        ${lags.map(({ topic }) => topic)}::text[],
        ${lags.map(({ partition }) => partition)}::integer[],
        ${lags.map(({ endOffset }) => endOffset)}::bigint[],
        ${lags.map(({ behind }) => behind)}::bigint[],
        ${lags.map(({ waitingSince }) => waitingSince?.toISOString() ?? null)}::timestamptz[],
        ${lags.map(({ handledPerSecond }) => handledPerSecond)}::double precision[]
      )
      on conflict (consumer_group, topic, partition) do update set
        end_offset = excluded.end_offset,
        behind = excluded.behind,
        waiting_since = excluded.waiting_since,
        handled_per_second = excluded.handled_per_second,
        measured_at = excluded.measured_at
      where stored.measured_at <= excluded.measured_at
    `.execute(transaction);
    await sql`
      insert into dead_topic as stored (topic, messages, measured_at)
      select *, ${measuredAt}::timestamptz from unnest(
        ${dead.map(({ topic }) => topic)}::text[],
        ${dead.map(({ messages }) => messages)}::bigint[]
      ) as counted (topic, messages)
      order by topic
      on conflict (topic) do update set messages = excluded.messages, measured_at = excluded.measured_at
      where stored.measured_at <= excluded.measured_at
    `.execute(transaction);
    await sql`
      delete from consumer_lag where measured_at < ${measuredAt}::timestamptz - interval '1 day'
    `.execute(transaction);
  });
}

/**
 * What waited in each partition when somebody measured last: what a process that begins goes on from.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function readPartitionLags(
  db: QueryExecutorProvider,
  group: string,
): Promise<readonly (PartitionLag & { readonly measuredAt: Date })[]> {
  const { rows } = await sql<PartitionLag & { measuredAt: Date }>`
    select
      topic, partition, end_offset as "endOffset", behind, waiting_since as "waitingSince", handled_per_second as "handledPerSecond",
      measured_at as "measuredAt"
    from consumer_lag
    where consumer_group = ${group}
  `.execute(db);
  return rows;
}

/**
 * What waits in every topic, by group and topic.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function listTopicLags(db: QueryExecutorProvider): Promise<readonly TopicLagRow[]> {
  const { rows } = await sql<TopicLagRow>`
    select
      consumer_group,
      topic,
      count(*)::integer as partitions,
      sum(behind)::bigint as behind,
      (array_agg(partition order by behind desc, partition))[1] as worst_partition,
      max(behind) as worst_behind,
      (extract(epoch from max(consumer_lag.measured_at - waiting_since)) * 1000)::float8 as waiting_ms,
      sum(handled_per_second) as handled_per_second,
      dead_topic.messages as dead,
      min(consumer_lag.measured_at) as measured_at,
      (extract(epoch from now() - min(consumer_lag.measured_at)) * 1000)::float8 as measured_ms
    from consumer_lag
    left join dead_topic using (topic)
    group by consumer_group, topic, dead_topic.messages
    order by consumer_group, topic
  `.execute(db);
  return rows;
}

import { deadTopicOf, type Topic } from '@lending/events';
import type { Admin } from 'kafkajs';
import { type ConsumeOptions, type LogExtent, partitionKey, type TopicPartition } from '#bus.ts';

export interface Position {
  readonly partition: TopicPartition;
  /** What the consumer has stored, null when it has nothing. */
  readonly stored: bigint | null;
  readonly seekTo: bigint;
  /** The stored offset is past the end: the topic was made anew and is read from its start. */
  readonly isRecreated: boolean;
}

/** Where each partition is to be read from: what is stored, if the log still reaches there, else the oldest record. */
export async function findPositions(
  admin: Admin,
  partitions: readonly TopicPartition[],
  startFrom: ConsumeOptions['startFrom'],
): Promise<readonly Position[]> {
  if (partitions.length === 0) return [];
  const topics = [...new Set(partitions.map(({ topic }) => topic))];
  const [positions, extents] = await Promise.all([startFrom(partitions), fetchExtents(admin, topics)]);
  const byPartition = new Map(extents.map((extent) => [partitionKey(extent), extent]));
  return partitions.map((partition) => {
    const stored = positions.get(partitionKey(partition)) ?? null;
    const { oldest, next } = byPartition.get(partitionKey(partition)) ?? { oldest: 0n, next: 0n };
    const isRecreated = stored !== null && stored > next;
    const seekTo = stored === null || isRecreated || stored < oldest ? oldest : stored;
    return { partition, stored, seekTo, isRecreated };
  });
}

/** What every partition of the topics holds. */
export async function fetchExtents(admin: Admin, topics: readonly Topic[]): Promise<readonly LogExtent[]> {
  const extents = await Promise.all(topics.map((topic) => fetchTopicExtents(admin, topic)));
  return extents.flat();
}

async function fetchTopicExtents(admin: Admin, topic: Topic): Promise<readonly LogExtent[]> {
  const offsets = await admin.fetchTopicOffsets(topic);
  return offsets.map(({ partition, low, high }) => ({ topic, partition, oldest: BigInt(low), next: BigInt(high) }));
}

/** What each topic's dead topic holds. */
export async function countDead(admin: Admin, topics: readonly Topic[]): Promise<ReadonlyMap<Topic, bigint>> {
  const counts = await Promise.all(
    topics.map(async (topic) => {
      const offsets = await admin.fetchTopicOffsets(deadTopicOf(topic));
      return [topic, offsets.reduce((count, { low, high }) => count + BigInt(high) - BigInt(low), 0n)] as const;
    }),
  );
  return new Map(counts);
}

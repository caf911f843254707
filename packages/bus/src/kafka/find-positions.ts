import type { Topic } from '@lending/events';
import type { Admin } from 'kafkajs';
import { type ConsumeOptions, partitionKey, type TopicPartition } from '#bus.ts';

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
  const [positions, edges] = await Promise.all([startFrom(partitions), fetchEdges(admin, partitions)]);
  return partitions.map((partition) => {
    const stored = positions.get(partitionKey(partition)) ?? null;
    const { low, high } = edges.get(partitionKey(partition)) ?? { low: 0n, high: 0n };
    const isRecreated = stored !== null && stored > high;
    const seekTo = stored === null || isRecreated || stored < low ? low : stored;
    return { partition, stored, seekTo, isRecreated };
  });
}

interface Edges {
  readonly low: bigint;
  readonly high: bigint;
}

/** Oldest offset and one past the newest, of every partition of the topics asked for. */
async function fetchEdges(admin: Admin, partitions: readonly TopicPartition[]): Promise<ReadonlyMap<string, Edges>> {
  const topics = [...new Set(partitions.map(({ topic }) => topic))];
  const offsets = await Promise.all(topics.map((topic) => fetchTopicEdges(admin, topic)));
  return new Map(offsets.flat());
}

async function fetchTopicEdges(admin: Admin, topic: Topic): Promise<(readonly [string, Edges])[]> {
  const offsets = await admin.fetchTopicOffsets(topic);
  return offsets.map(({ partition, low, high }) => [
    partitionKey({ topic, partition }),
    { low: BigInt(low), high: BigInt(high) },
  ]);
}

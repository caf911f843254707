import { partitionKey, type TopicPartition } from '@lending/bus';
import type { Outage } from '@lending/runtime';

/**
 * A partition that fails is tried again within seconds, and a try takes half a minute at most. One that is silent for longer was
 * given to another consumer, which answers for it.
 */
const MOVED_AFTER_MS = 120_000;

/** One outage over many partitions: it is over only when none of them fails. */
export interface PartitionOutage {
  failed(partition: TopicPartition, error: unknown): void;
  recovered(partition: TopicPartition): void;
}

export function createPartitionOutage(outage: Outage, now: () => number = () => performance.now()): PartitionOutage {
  /** When each failed last. */
  const failing = new Map<string, number>();
  return {
    failed(partition, error) {
      failing.set(partitionKey(partition), now());
      outage.failed(error);
    },
    recovered(partition) {
      failing.delete(partitionKey(partition));
      for (const [key, failedAt] of failing) if (now() - failedAt > MOVED_AFTER_MS) failing.delete(key);
      if (failing.size === 0) outage.recovered();
    },
  };
}

import type { Message, Topic } from '@lending/events';

/** One partition of one topic: the unit of order and of assignment. */
export interface TopicPartition {
  readonly topic: Topic;
  readonly partition: number;
}

/** A message and where it stood in the log. */
export interface Received<T extends Topic = Topic> {
  readonly message: Message<T>;
  readonly offset: bigint;
}

/** Consecutive messages of one partition, in offset order. */
export interface Batch extends TopicPartition {
  readonly group: string;
  /** Empty when no record read could be decoded; the offset still has to move. */
  readonly messages: readonly Received[];
  /**
   * Where the consumer stands: `startFrom`'s answer, then the `nextOffset` of the batch before. Equal to the stored offset
   * unless another consumer moved it. Usually the first record's offset; lower when retention removed records in between,
   * higher when the log was recreated and starts over. The first record's offset when `startFrom` had no answer.
   */
  readonly fromOffset: bigint;
  /** Where to go on: one past the last record of this batch, undecodable ones included. */
  readonly nextOffset: bigint;
}

export interface ConsumeOptions {
  /** Consumers of one group share the partitions; every group sees every message. */
  readonly group: string;
  readonly topics: readonly Topic[];
  /**
   * Where each assigned partition starts. Asked on every assignment, because the effect of a message and its offset are
   * committed together in the consumer's own database, never here. A partition missing from the answer starts at the oldest
   * record retained.
   */
  readonly startFrom: (partitions: readonly TopicPartition[]) => Promise<ReadonlyMap<string, bigint>>;
  /**
   * Handles one batch. Returning means its effect and `nextOffset` are durable. Throwing means nothing of it is: the
   * partition is re-read from `startFrom` after a pause, the others go on. Several partitions are handled at the same time,
   * one partition never twice at once by the same consumer.
   */
  readonly handle: (batch: Batch) => Promise<void>;
  /** Records in a batch at most. Default 1000. */
  readonly maxBatchSize?: number;
  /** Where it aborts before the group is joined, the consumer is stopped and `consume` throws its reason. Later it has no effect. */
  readonly signal?: AbortSignal;
  /** Leaves out what cannot be decoded instead of burying it: whoever reads for the first time has done that. */
  readonly skipMalformed?: boolean;
}

/** What a partition holds: records from `oldest` on, `next` excluded; nothing where the two are equal. */
export interface LogExtent extends TopicPartition {
  readonly oldest: bigint;
  readonly next: bigint;
}

/** A running consumer. */
export interface Consumer {
  /** Stops after the batch at hand; resolves when no handler runs any more. */
  stop(): Promise<void>;
}

/** Why a message was set aside. */
export interface DeadLetter {
  readonly topic: Topic;
  readonly partition: number;
  readonly offset: bigint;
  readonly key: string | null;
  readonly value: string;
  readonly reason: string;
}

/**
 * The log between the services. Two adapters, one contract (`bus.contract.ts`): Kafka, and tables in Postgres.
 *
 * Delivery is at least once and ordered per key. Effect is exactly once only together with a consumer that commits offsets with
 * its rows (`startFrom`).
 */
export interface Bus {
  /**
   * Resolves when every message is durable. Messages of one key keep their order, within a call and across calls.
   * An outage is waited out for a bounded time; after a failure any part of the messages may still be in the log.
   * @throws BUS__UNAVAILABLE, BUS__PUBLISH_TIMED_OUT; RUNTIME__DISK_EXCEEDED from the embedded log.
   */
  publish(messages: readonly Message[]): Promise<void>;
  /** Starts consuming; resolves once the group is joined. */
  consume(options: ConsumeOptions): Promise<Consumer>;
  /**
   * What every partition of these topics holds at the moment.
   * @throws BUS__UNAVAILABLE
   */
  readExtents(topics: readonly Topic[]): Promise<readonly LogExtent[]>;
  /**
   * How many messages of each of these topics lie on its dead topic.
   * @throws BUS__UNAVAILABLE
   */
  countDead(topics: readonly Topic[]): Promise<ReadonlyMap<Topic, bigint>>;
  /** Sets a message aside on `*.dead.*` with its reason, and counts it. Resolves when durable. */
  bury(letter: DeadLetter): Promise<void>;
  /** Closes connections and consumers. The bus cannot be used afterwards. */
  close(): Promise<void>;
}

/** Key of a partition in `startFrom`'s answer and in `consumer_offset`. */
export function partitionKey(partition: TopicPartition): string {
  return `${partition.topic}/${partition.partition}`;
}

import type { Topic } from '@lending/events';
import type { Admin, EachBatchPayload, Kafka, Consumer as KafkaJsConsumer, KafkaMessage } from 'kafkajs';
import { computeBackoffMs, pause } from '#backoff.ts';
import type { Consumer, TopicPartition } from '#bus.ts';
import type { BusEvent, BusOptions, LogSettings } from '#bus-options.ts';
import { type Delivery, deliverRecords } from '#deliver-records.ts';
import type { LogRecord } from '#log-record.ts';
import { leaveInTime } from '#stop-patience.ts';
import { unlessAborted } from '#unless-aborted.ts';
import { Assignment, type PartitionState } from './assignment.ts';
import { beatUntil, beatWhile } from './beat-while.ts';
import { findPositions } from './find-positions.ts';
import { PartitionAssigners } from './kafkajs.ts';
import { createOncePerOutage } from './once-per-outage.ts';
import { subscribedAssigner } from './subscribed-assigner.ts';

export interface KafkaConsumerContext {
  readonly kafka: Kafka;
  readonly admin: Admin;
  readonly settings: LogSettings;
  /** Partitions of the subscribed topics: how many handlers may run at once. */
  readonly partitionCount: number;
  readonly onEvent: BusOptions['onEvent'];
}

const DEFAULT_BATCH_SIZE = 1_000;
/** How long a fetch waits for news; also the pause of a member whose partitions are all paused. */
const MAX_WAIT_MS = 500;

/**
 * One member of a group on Kafka. Kafka assigns partitions and keeps the records; offsets are the consumer's own.
 *
 * States of a partition: assigned (asks `startFrom`, seeks) → reading; a failed batch → paused (backoff) → assigned. Each
 * `GROUP_JOIN` makes a new assignment, and what the one before still had in flight is given up: nothing of it was stored, or
 * the new one starts past it.
 */
export class KafkaConsumer implements Consumer {
  readonly #context: KafkaConsumerContext;
  readonly #delivery: Delivery;
  readonly #stopping = new AbortController();
  readonly #joined = Promise.withResolvers<void>();
  #consumer: KafkaJsConsumer | null = null;
  #assignment: Assignment | null = null;
  #restarting: Promise<void> = Promise.resolve();
  readonly #isNews = createOncePerOutage();
  #hasCrashed = false;

  constructor(context: KafkaConsumerContext, delivery: Delivery) {
    this.#context = context;
    this.#delivery = delivery;
  }

  /** Resolves once the group is joined, however long the brokers take. */
  async start(): Promise<void> {
    this.#restarting = this.#startUntilJoined();
    await this.#joined.promise;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#assignment?.end();
    this.#joined.resolve();
    await leaveInTime(this.#leave());
    // A join that was let finish may have brought another one.
    this.#assignment?.end();
    await this.#assignment?.settled();
  }

  /** Twice: the first cuts a join short that would wait for other members, the second leaves with whatever it came to. */
  async #leave(): Promise<void> {
    await this.#disconnect();
    await this.#restarting;
    await this.#disconnect();
  }

  async #disconnect(): Promise<void> {
    await this.#consumer?.disconnect().catch(() => undefined);
  }

  async #startUntilJoined(): Promise<void> {
    const { signal } = this.#stopping;
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      try {
        await this.#startOnce();
        return;
      } catch (error) {
        this.#tell('bus.join.failed', { attempt }, error);
        await pause(computeBackoffMs(attempt), signal);
      }
    }
  }

  async #startOnce(): Promise<void> {
    const { kafka, settings, partitionCount } = this.#context;
    const { group, topics } = this.#delivery.options;
    const consumer = kafka.consumer({
      groupId: group,
      // The second is what members of older versions know: a group takes what all of its members do.
      partitionAssigners: [subscribedAssigner, PartitionAssigners.roundRobin],
      sessionTimeout: settings.sessionTimeoutMs,
      rebalanceTimeout: Math.max(60_000, settings.sessionTimeoutMs),
      heartbeatInterval: settings.heartbeatMs,
      maxWaitTimeInMs: MAX_WAIT_MS,
      allowAutoTopicCreation: false,
      // More than elsewhere: each rebalance that interrupts a join costs one.
      retry: { retries: 8, restartOnFailure: async () => !this.#stopping.signal.aborted },
    });
    this.#consumer = consumer;
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => this.#onAssigned(payload.memberAssignment));
    consumer.on(consumer.events.CRASH, ({ payload }) => this.#onCrash(consumer, payload.error, payload.restart));
    try {
      await consumer.connect();
      await consumer.subscribe({ topics: [...topics], fromBeginning: true });
      await consumer.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: partitionCount,
        eachBatch: (payload) => this.#onBatch(payload),
      });
    } catch (error) {
      await consumer.disconnect().catch(() => undefined);
      throw error;
    }
  }

  /** kafkajs restarts by itself what it believes may pass; the rest is started afresh here. */
  #onCrash(consumer: KafkaJsConsumer, error: Error, willRestart: boolean): void {
    this.#hasCrashed = true;
    // The group is left. Nothing of it can be paused, sought or resumed any more.
    this.#assignment?.end();
    this.#tell('bus.consumer.crashed', { willRestart }, error);
    if (willRestart || this.#stopping.signal.aborted || consumer !== this.#consumer) return;
    this.#restarting = pause(computeBackoffMs(1), this.#stopping.signal).then(() => this.#startUntilJoined());
  }

  /** Runs synchronously within the join: no batch of the new assignment can be handled before it knows its place. */
  #onAssigned(memberAssignment: Readonly<Record<string, readonly number[]>>): void {
    const before = this.#assignment;
    before?.end();
    const partitions = Object.entries(memberAssignment).flatMap(([topic, numbers]) =>
      numbers.map((partition) => ({ topic: topic as Topic, partition })),
    );
    const assignment = new Assignment(partitions);
    this.#assignment = assignment;
    // Of a join that a stop did not wait for nothing is handled.
    if (this.#stopping.signal.aborted) assignment.end();
    this.#consumer?.resume(partitions.map(({ topic, partition }) => ({ topic, partitions: [partition] })));
    assignment.ready = this.#positionAll(assignment, before);
    this.#joined.resolve();
    if (!this.#hasCrashed) return;
    this.#hasCrashed = false;
    this.#tell('bus.consumer.resumed', { partitions: partitions.length });
  }

  /** Finds and takes the places of all partitions of an assignment, trying until it succeeds or the assignment ends. */
  async #positionAll(assignment: Assignment, before: Assignment | null): Promise<void> {
    await before?.settled();
    for (let attempt = 1; !assignment.hasEnded; attempt += 1) {
      try {
        await this.#position(assignment, assignment.partitions);
        return;
      } catch (error) {
        this.#tell('bus.position.failed', { attempt }, error);
        await pause(computeBackoffMs(attempt), assignment.signal);
      }
    }
  }

  async #position(assignment: Assignment, partitions: readonly TopicPartition[]): Promise<void> {
    const positions = await findPositions(this.#context.admin, partitions, this.#delivery.options.startFrom);
    if (assignment.hasEnded) return;
    for (const { partition, stored, seekTo, isRecreated } of positions) {
      const state = assignment.stateOf(partition);
      state.stored = stored;
      if (isRecreated) {
        state.buried.below = 0n;
        this.#tell('bus.log.recreated', { ...partition, stored: String(stored), seekTo: String(seekTo) });
      }
      this.#consumer?.seek({ ...partition, offset: String(seekTo) });
    }
  }

  async #onBatch(payload: EachBatchPayload): Promise<void> {
    const assignment = this.#assignment;
    if (assignment === null) return;
    await beatUntil(assignment.ready, payload.heartbeat, this.#context.settings.heartbeatMs);
    const partition = { topic: payload.batch.topic as Topic, partition: payload.batch.partition };
    const isCurrent = () => !assignment.hasEnded && payload.isRunning() && !payload.isStale();
    const state = assignment.stateOf(partition);
    const size = this.#delivery.options.maxBatchSize ?? DEFAULT_BATCH_SIZE;
    const { messages } = payload.batch;
    for (let at = 0; at < messages.length && isCurrent(); at += size) {
      const isDone = await this.#handle(assignment, partition, state, messages.slice(at, at + size), payload);
      if (!isDone) return;
    }
  }

  /** @returns false when the batch failed and the partition waits for its next attempt */
  async #handle(
    assignment: Assignment,
    partition: TopicPartition,
    state: PartitionState,
    messages: readonly KafkaMessage[],
    { heartbeat, resolveOffset }: EachBatchPayload,
  ): Promise<boolean> {
    const [first, ...rest] = messages.map(toRecord);
    if (first === undefined) return true;
    const work = assignment.track(
      deliverRecords(partition, [first, ...rest], state.stored, state.buried, this.#delivery).then(
        (nextOffset) => {
          state.stored = nextOffset;
          state.failures = 0;
          if (!assignment.hasEnded) resolveOffset(String(nextOffset - 1n));
          return true;
        },
        (error: unknown) => {
          this.#retryLater(assignment, partition, state, error);
          return false;
        },
      ),
    );
    return beatWhile(work, heartbeat, this.#context.settings.heartbeatMs);
  }

  /** Holds one partition back for a while, then reads it again from what is stored. The others go on. */
  #retryLater(assignment: Assignment, partition: TopicPartition, state: PartitionState, error: unknown): void {
    state.failures += 1;
    this.#tell('bus.batch.failed', { ...partition, failures: state.failures }, error);
    if (assignment.hasEnded) return;
    const place = [{ topic: partition.topic, partitions: [partition.partition] }];
    try {
      this.#consumer?.pause(place);
    } catch {
      // kafkajs has just left the group in a crash: when it joins again, it asks for every partition's place.
      return;
    }
    void assignment.track(
      pause(computeBackoffMs(state.failures), assignment.signal).then(async () => {
        if (assignment.hasEnded) return;
        try {
          // Where the brokers are away, a stop does not wait for their answer.
          await unlessAborted(this.#position(assignment, [partition]), assignment.signal);
          this.#consumer?.resume(place);
        } catch (cause) {
          if (!assignment.hasEnded) this.#retryLater(assignment, partition, state, cause);
        }
      }),
    );
  }

  /** A failure is told once in an outage: while the brokers are away the group is joined again every few seconds. */
  #tell(event: BusEvent['event'], facts: Readonly<Record<string, unknown>>, error?: unknown): void {
    if (this.#stopping.signal.aborted) return;
    const message = error instanceof Error ? error.message : String(error);
    if (error !== undefined && !this.#isNews({ namespace: event, message })) return;
    const level = event === 'bus.consumer.resumed' ? 'info' : 'warn';
    this.#context.onEvent?.({ level, event, facts: { group: this.#delivery.options.group, ...facts }, error });
  }
}

function toRecord({ offset, key, value, headers }: KafkaMessage): LogRecord {
  return {
    offset: BigInt(offset),
    key: key?.toString('utf8') ?? null,
    value: value?.toString('utf8') ?? null,
    traceparent: headers?.traceparent?.toString() ?? null,
  };
}

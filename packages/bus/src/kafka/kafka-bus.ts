import { type Message, TOPICS, type Topic } from '@lending/events';
import type { Admin, Kafka } from 'kafkajs';
import { AppendQueue } from '#append-queue.ts';
import { computeBackoffMs, pause } from '#backoff.ts';
import type { Bus, ConsumeOptions, Consumer, DeadLetter, LogExtent } from '#bus.ts';
import { type BusOptions, LOG_DEFAULTS, type LogSettings } from '#bus-options.ts';
import { joinOrLeave } from '#join-or-leave.ts';
import { deadRecord, messageRecord } from '#log-record.ts';
import { inPublishSpan } from '#message-spans.ts';
import { leaveInTime } from '#stop-patience.ts';
import { askLog } from './ask-log.ts';
import { createClient } from './client.ts';
import { createTopics } from './create-topics.ts';
import { countDead, fetchExtents } from './find-positions.ts';
import { KafkaConsumer } from './kafka-consumer.ts';
import { kafkaFailure } from './kafka-failure.ts';
import { KafkaProducer } from './kafka-producer.ts';
import type { KafkaBusConfig } from './kafka-settings.ts';

export type { KafkaBusConfig } from './kafka-settings.ts';

/**
 * The bus of the services shape.
 * @throws BUS__UNAVAILABLE when no broker answers within `startTimeoutMs`
 */
export async function createKafkaBus(config: KafkaBusConfig, options: BusOptions = {}): Promise<Bus> {
  const settings = { ...LOG_DEFAULTS, ...config };
  const kafka = createClient(config, options.onEvent);
  const admin = kafka.admin();
  const producer = new KafkaProducer(kafka);
  const deadline = Date.now() + settings.startTimeoutMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await admin.connect();
      await createTopics(admin, settings, config.replicationFactor);
      await producer.connect();
      return new KafkaBus(kafka, admin, producer, settings, options);
    } catch (error) {
      const waitMs = computeBackoffMs(attempt);
      if (Date.now() + waitMs >= deadline) {
        await Promise.all([admin.disconnect().catch(() => undefined), producer.disconnect()]);
        throw kafkaFailure(error, `no broker of ${config.brokers.join(', ')} answers`);
      }
      await pause(waitMs, new AbortController().signal);
    }
  }
}

class KafkaBus implements Bus {
  readonly #kafka: Kafka;
  readonly #admin: Admin;
  readonly #producer: KafkaProducer;
  readonly #settings: LogSettings;
  readonly #options: BusOptions;
  readonly #queue: AppendQueue;
  readonly #consumers = new Set<KafkaConsumer>();

  constructor(kafka: Kafka, admin: Admin, producer: KafkaProducer, settings: LogSettings, options: BusOptions) {
    this.#kafka = kafka;
    this.#admin = admin;
    this.#producer = producer;
    this.#settings = settings;
    this.#options = options;
    this.#queue = new AppendQueue(
      (records, deadline) => producer.send(records, deadline),
      settings.publishTimeoutMs,
      options.stopping,
    );
  }

  async publish(messages: readonly Message[]): Promise<void> {
    await inPublishSpan(messages, () => this.#queue.add(messages.map(messageRecord)));
  }

  async consume(options: ConsumeOptions): Promise<Consumer> {
    const consumer = new KafkaConsumer(
      {
        kafka: this.#kafka,
        admin: this.#admin,
        settings: this.#settings,
        partitionCount: options.topics.reduce((count, topic) => count + TOPICS[topic].partitions, 0),
        onEvent: this.#options.onEvent,
      },
      { options, bury: (letter) => this.bury(letter) },
    );
    this.#consumers.add(consumer);
    const stop = async (): Promise<void> => {
      await consumer.stop();
      this.#consumers.delete(consumer);
    };
    return joinOrLeave(consumer.start(), stop, options.signal);
  }

  readExtents(topics: readonly Topic[]): Promise<readonly LogExtent[]> {
    return this.#ask('the topics do not say what they hold', (admin) => fetchExtents(admin, topics));
  }

  countDead(topics: readonly Topic[]): Promise<ReadonlyMap<Topic, bigint>> {
    return this.#ask('the dead topics do not say what they hold', (admin) => countDead(admin, topics));
  }

  async bury(letter: DeadLetter): Promise<void> {
    await this.#queue.add([deadRecord(letter)]);
    this.#options.onBuried?.(letter);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#consumers].map((consumer) => consumer.stop()));
    this.#consumers.clear();
    await this.#queue.close();
    await leaveInTime(Promise.allSettled([this.#producer.close(), this.#admin.disconnect()]));
  }

  #ask<T>(what: string, question: (admin: Admin) => Promise<T>): Promise<T> {
    const { publishTimeoutMs: patienceMs } = this.#settings;
    const { stopping } = this.#options;
    return askLog({ kafka: this.#kafka, admin: this.#admin, patienceMs, what, stopping }, question);
  }
}

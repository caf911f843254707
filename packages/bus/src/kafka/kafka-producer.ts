import { LendingError } from '@lending/errors';
import type { Kafka, Producer } from 'kafkajs';
import { computeBackoffMs, pause } from '#backoff.ts';
import type { NewRecord } from '#log-record.ts';
import { kafkaFailure } from './kafka-failure.ts';
import { REQUEST_TIMEOUT_MS } from './kafka-settings.ts';
import { Partitioners } from './kafkajs.ts';

/** What kafkajs repeats with the same sequence numbers, about 1 s; after that the next producer takes over. */
const RETRIES = 3;

/**
 * An idempotent producer that is thrown away after a failed send.
 *
 * kafkajs takes the sequence numbers of a failed send back. If the broker had stored it and only the answer was lost, the
 * next, different records would carry the same numbers and be dropped as duplicates, in silence. A new producer has a new
 * id, so at worst records are there twice, which consumers bear.
 */
export class KafkaProducer {
  readonly #kafka: Kafka;
  #producer: Producer | null = null;
  #isClosed = false;

  constructor(kafka: Kafka) {
    this.#kafka = kafka;
  }

  /** @throws BUS__UNAVAILABLE when the brokers do not take the records before `deadline` */
  async send(records: readonly NewRecord[], deadline: number): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#sendOnce(records);
        return;
      } catch (error) {
        await this.disconnect();
        const waitMs = computeBackoffMs(attempt);
        if (this.#isClosed || Date.now() + waitMs >= deadline) {
          throw kafkaFailure(error, 'the brokers did not take the messages');
        }
        await pause(waitMs, new AbortController().signal);
      }
    }
  }

  async connect(): Promise<Producer> {
    if (this.#producer !== null) return this.#producer;
    const producer = this.#kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      retry: { retries: RETRIES },
      createPartitioner: Partitioners.DefaultPartitioner,
    });
    await producer.connect().catch(async (error: unknown) => {
      await producer.disconnect().catch(() => undefined);
      throw error;
    });
    if (this.#isClosed) {
      await producer.disconnect().catch(() => undefined);
      throw new LendingError('BUS__UNAVAILABLE', { message: 'the bus is closed' });
    }
    this.#producer = producer;
    return producer;
  }

  /** What is being sent is not tried again. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.disconnect();
  }

  async disconnect(): Promise<void> {
    const producer = this.#producer;
    this.#producer = null;
    await producer?.disconnect().catch(() => undefined);
  }

  async #sendOnce(records: readonly NewRecord[]): Promise<void> {
    const producer = await this.connect();
    const byTopic = Map.groupBy(records, ({ topic }) => topic);
    await producer.sendBatch({
      acks: -1,
      timeout: REQUEST_TIMEOUT_MS,
      topicMessages: [...byTopic].map(([topic, group]) => ({
        topic,
        messages: group.map(({ key, value, headers }) => ({ key, value, ...(headers === null ? {} : { headers }) })),
      })),
    });
  }
}

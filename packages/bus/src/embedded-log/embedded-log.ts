import { LendingError } from '@lending/errors';
import type { Message, Topic } from '@lending/events';
import { Pool } from 'pg';
import { AppendQueue } from '#append-queue.ts';
import { computeBackoffMs, pause } from '#backoff.ts';
import type { Bus, ConsumeOptions, Consumer, DeadLetter, LogExtent } from '#bus.ts';
import { type BusOptions, LOG_DEFAULTS, type LogSettings } from '#bus-options.ts';
import { joinOrLeave } from '#join-or-leave.ts';
import { deadRecord, messageRecord, type NewRecord } from '#log-record.ts';
import { inPublishSpan } from '#message-spans.ts';
import { APPENDED_CHANNEL, appendRecords } from './append-records.ts';
import type { LogPartition } from './assign-partitions.ts';
import { createPartitions } from './create-partitions.ts';
import { Expiry } from './expiry.ts';
import { LogConsumer } from './log-consumer.ts';
import { GROUP_CHANNEL } from './membership.ts';
import { partitionOfKey } from './partition-of-key.ts';
import { countDead, fetchExtents } from './read-records.ts';
import { Session } from './session.ts';
import { isPassing, logFailure } from './sql-failure.ts';

export interface EmbeddedLogConfig extends Partial<LogSettings> {
  /** A database with migrations applied. */
  readonly connectionString: string;
  /** How often expired messages are deleted, ms. Default 10 minutes. */
  readonly expiryBeatMs?: number;
}

/** Connections for queries; one more listens. Readers of all consumers share them. */
const POOL_SIZE = 4;
const EXPIRY_BEAT_MS = 600_000;

/**
 * A durable log in Postgres: the bus of the embedded shape.
 * @throws BUS__UNAVAILABLE when the database does not answer within `startTimeoutMs`
 */
export async function createEmbeddedLog(config: EmbeddedLogConfig, options: BusOptions = {}): Promise<Bus> {
  const settings = { ...LOG_DEFAULTS, ...config };
  const connection = {
    connectionString: config.connectionString,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: 5_000,
  };
  const pool = new Pool({
    ...connection,
    max: POOL_SIZE,
    query_timeout: Math.max(settings.publishTimeoutMs, 1_000),
    application_name: 'lending-log',
  });
  // A connection that breaks, idle or between two statements, is replaced by the pool; unheard, its error would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', (error) => {
    if (!pool.ending) options.onEvent?.({ level: 'warn', event: 'bus.connection.lost', facts: {}, error });
  });
  try {
    const partitions = await retryUntil(Date.now() + settings.startTimeoutMs, 'the log cannot be opened', () =>
      createPartitions(pool),
    );
    const session = new Session(
      { ...connection, query_timeout: 5_000, application_name: 'lending-log-session' },
      [APPENDED_CHANNEL, GROUP_CHANNEL],
      options.onEvent,
    );
    session.start();
    return new EmbeddedLog(pool, session, partitions, settings, options, config.expiryBeatMs ?? EXPIRY_BEAT_MS);
  } catch (error) {
    await pool.end();
    throw error;
  }
}

class EmbeddedLog implements Bus {
  readonly #pool: Pool;
  readonly #session: Session;
  readonly #partitions: readonly LogPartition[];
  readonly #byTopic: ReadonlyMap<string, readonly LogPartition[]>;
  readonly #settings: LogSettings;
  readonly #options: BusOptions;
  readonly #queue: AppendQueue;
  readonly #expiry: Expiry;
  readonly #consumers = new Set<LogConsumer>();

  constructor(
    pool: Pool,
    session: Session,
    partitions: readonly LogPartition[],
    settings: LogSettings,
    options: BusOptions,
    expiryBeatMs: number,
  ) {
    this.#pool = pool;
    this.#session = session;
    this.#partitions = partitions;
    this.#byTopic = Map.groupBy(partitions, ({ topic }) => topic);
    this.#settings = settings;
    this.#options = options;
    this.#queue = new AppendQueue(
      (records, deadline) => this.#append(records, deadline),
      settings.publishTimeoutMs,
      options.stopping,
    );
    this.#expiry = new Expiry({ pool, partitions, settings, beatMs: expiryBeatMs, onEvent: options.onEvent });
    this.#expiry.start();
  }

  async publish(messages: readonly Message[]): Promise<void> {
    await inPublishSpan(messages, () => this.#queue.add(messages.map(messageRecord)));
  }

  async consume(options: ConsumeOptions): Promise<Consumer> {
    const consumer = new LogConsumer(
      {
        pool: this.#pool,
        session: this.#session,
        partitions: this.#partitions,
        settings: this.#settings,
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

  async readExtents(topics: readonly Topic[]): Promise<readonly LogExtent[]> {
    const deadline = Date.now() + this.#settings.publishTimeoutMs;
    return await retryUntil(deadline, 'the log does not say what it holds', () => fetchExtents(this.#pool, topics));
  }

  async countDead(topics: readonly Topic[]): Promise<ReadonlyMap<Topic, bigint>> {
    const deadline = Date.now() + this.#settings.publishTimeoutMs;
    return await retryUntil(deadline, 'the log does not say what it holds', () => countDead(this.#pool, topics));
  }

  async bury(letter: DeadLetter): Promise<void> {
    await this.#queue.add([deadRecord(letter)]);
    this.#options.onBuried?.(letter);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#consumers].map((consumer) => consumer.stop()));
    this.#consumers.clear();
    await Promise.all([this.#queue.close(), this.#expiry.stop()]);
    await this.#session.close();
    await this.#pool.end();
  }

  async #append(records: readonly NewRecord[], deadline: number): Promise<void> {
    const placed = records.map((record) => ({ ...record, partitionId: this.#placeOf(record) }));
    await retryUntil(deadline, 'the log did not take the messages', () => appendRecords(this.#pool, placed));
  }

  #placeOf({ topic, key }: NewRecord): number {
    const partitions = this.#byTopic.get(topic) ?? [];
    const place = partitions.find(({ partition }) => partition === partitionOfKey(key, partitions.length));
    if (place === undefined) {
      throw new LendingError('BUS__TOPIC_NOT_FOUND', { message: `the log has no topic ${JSON.stringify(topic)}` });
    }
    return place.id;
  }
}

/** Repeats what failed for a passing reason, until the deadline. @throws as `logFailure` says */
async function retryUntil<T>(deadline: number, what: string, operation: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await operation();
    } catch (error) {
      const waitMs = computeBackoffMs(attempt);
      if (!isPassing(error) || Date.now() + waitMs >= deadline) throw logFailure(error, what);
      await pause(waitMs, new AbortController().signal);
    }
  }
}

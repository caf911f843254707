import type { Pool } from 'pg';
import { computeBackoffMs, pause } from '#backoff.ts';
import { partitionKey, type TopicPartition } from '#bus.ts';
import type { BusOptions } from '#bus-options.ts';
import { type BuriedMark, type Delivery, deliverRecords } from '#deliver-records.ts';
import { fetchEndOffsets, readRecords } from './read-records.ts';
import { WakeUp } from './wake-up.ts';

const DEFAULT_BATCH_SIZE = 1_000;

export interface ReaderContext {
  readonly pool: Pool;
  readonly delivery: Delivery;
  readonly onEvent: BusOptions['onEvent'];
  /** Whether this member may still read: false once others may have taken its partitions. */
  readonly isMember: () => boolean;
}

/**
 * Reads one partition from first to last record, again and again.
 *
 * States: locating (asks `startFrom`) → reading → idle (waits for a wake-up) → reading …; any failure → pausing (with
 * backoff) → locating. `stop` ends it after the batch at hand.
 */
export class PartitionReader {
  readonly id: number;
  readonly #partition: TopicPartition;
  readonly #context: ReaderContext;
  readonly #stopping = new AbortController();
  readonly #wakeUp = new WakeUp();
  readonly #buried: BuriedMark = { below: 0n };
  /** What the consumer has stored, null when it has nothing. */
  #stored: bigint | null = null;
  #next = 0n;
  #running: Promise<void> = Promise.resolve();

  constructor(id: number, partition: TopicPartition, context: ReaderContext) {
    this.id = id;
    this.#partition = partition;
    this.#context = context;
  }

  /** @param assigned `startFrom`'s answer for the whole assignment; later the reader asks for itself */
  start(assigned: Promise<ReadonlyMap<string, bigint>>): void {
    this.#running = this.#run(assigned);
  }

  wake(): void {
    this.#wakeUp.ring();
  }

  /** @param end one past the newest record of the partition */
  wakeIfBehind(end: bigint): void {
    if (end > this.#next) this.wake();
  }

  /** Resolves when no handler of this partition runs any more. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(assigned: Promise<ReadonlyMap<string, bigint>>): Promise<void> {
    const { signal } = this.#stopping;
    let positions: Promise<ReadonlyMap<string, bigint>> | null = assigned;
    let failures = 0;
    while (!signal.aborted) {
      try {
        const asked = positions ?? this.#context.delivery.options.startFrom([this.#partition]);
        positions = null;
        await this.#locate(await asked);
        while (!signal.aborted) {
          await this.#step();
          failures = 0;
        }
      } catch (error) {
        failures += 1;
        this.#report(failures, error);
        await pause(computeBackoffMs(failures), signal);
      }
    }
  }

  async #locate(positions: ReadonlyMap<string, bigint>): Promise<void> {
    this.#stored = positions.get(partitionKey(this.#partition)) ?? null;
    this.#next = this.#stored ?? 0n;
    if (this.#stored === null) return;
    const end = (await fetchEndOffsets(this.#context.pool, [this.id])).get(this.id) ?? 0n;
    if (this.#stored <= end) return;
    const facts = { ...this.#partition, stored: String(this.#stored), end: String(end) };
    this.#context.onEvent?.({ level: 'warn', event: 'bus.log.recreated', facts });
    this.#next = 0n;
    this.#buried.below = 0n;
  }

  async #step(): Promise<void> {
    const { pool, delivery, isMember } = this.#context;
    const limit = delivery.options.maxBatchSize ?? DEFAULT_BATCH_SIZE;
    const [first, ...rest] = isMember() ? await readRecords(pool, this.id, this.#next, limit) : [];
    if (first === undefined) return this.#wakeUp.sleep(null, this.#stopping.signal);
    if (this.#stopping.signal.aborted || !isMember()) return;
    this.#next = await deliverRecords(this.#partition, [first, ...rest], this.#stored, this.#buried, delivery);
    this.#stored = this.#next;
    // These were all there were; what came since has notified.
    if (rest.length + 1 < limit) await this.#wakeUp.sleep(null, this.#stopping.signal);
  }

  #report(failures: number, error: unknown): void {
    if (this.#stopping.signal.aborted) return;
    const facts = { ...this.#partition, group: this.#context.delivery.options.group, failures };
    this.#context.onEvent?.({ level: 'warn', event: 'bus.batch.failed', facts, error });
  }
}

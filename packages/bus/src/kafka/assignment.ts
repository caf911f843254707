import { LendingError } from '@lending/errors';
import { partitionKey, type TopicPartition } from '#bus.ts';
import type { BuriedMark } from '#deliver-records.ts';

/** How far one assigned partition is. */
export interface PartitionState {
  /** What the consumer has stored, null when it has nothing. */
  stored: bigint | null;
  /** Batches that failed since the last that did not. */
  failures: number;
  readonly buried: BuriedMark;
}

/** What a member was given by one join of its group, until the next. */
export class Assignment {
  readonly partitions: readonly TopicPartition[];
  /** Resolves when every partition has found its place, or the assignment has ended. */
  ready: Promise<void> = Promise.resolve();
  readonly #states: ReadonlyMap<string, PartitionState>;
  readonly #ending = new AbortController();
  readonly #work = new Set<Promise<unknown>>();

  constructor(partitions: readonly TopicPartition[]) {
    this.partitions = partitions;
    this.#states = new Map(
      partitions.map((partition) => [partitionKey(partition), { stored: null, failures: 0, buried: { below: 0n } }]),
    );
  }

  get hasEnded(): boolean {
    return this.#ending.signal.aborted;
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  end(): void {
    this.#ending.abort();
  }

  stateOf(partition: TopicPartition): PartitionState {
    const state = this.#states.get(partitionKey(partition));
    if (state !== undefined) return state;
    throw new LendingError('INTERNAL__UNEXPECTED', { message: `${partitionKey(partition)} is not assigned here` });
  }

  /** Remembers work until it is over. It must not reject. */
  track<T>(work: Promise<T>): Promise<T> {
    this.#work.add(work);
    void work.finally(() => this.#work.delete(work));
    return work;
  }

  /** Resolves when nothing of this assignment runs any more. */
  async settled(): Promise<void> {
    await Promise.all(this.#work);
  }
}

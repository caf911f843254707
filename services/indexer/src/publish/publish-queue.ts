import type { Bus } from '@lending/bus';
import type { Message } from '@lending/events';
import { type Outage, retryWithJitter } from '@lending/runtime';
import { inSpan } from '@lending/tracing';

export interface PublishQueueOptions<T> {
  readonly bus: Pick<Bus, 'publish'>;
  /** What a batch of items comes to; called once for each item, in order. Must not throw. */
  readonly toMessages: (items: readonly T[]) => readonly Message[];
  /** Told when a batch is durable. */
  readonly onPublished?: (items: readonly T[], messages: readonly Message[]) => void;
  readonly outage: Outage;
  /** Items that wait before whoever adds them should; default 5,000. */
  readonly capacity?: number;
}

/**
 * Turns items into messages and publishes them in order, one batch at a time: what is added while one is under way leaves with the
 * next, so nothing waits for a timer and a busy log gets large batches. A batch is tried until it is durable.
 */
export interface PublishQueue<T> {
  add(item: T): void;
  /** How many were added, and how many of those are durable: the first ones. */
  readonly added: number;
  readonly durable: number;
  /** Resolves when everything that was added is durable; rejects when the queue ends before, with the reason of that. */
  flushed(): Promise<void>;
  /** Resolves when there is room for more, and rejects as `flushed` does; null while there is room. */
  room(): Promise<void> | null;
  /** Publishes until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

/** Somebody who waits until so many items are durable. */
interface Waiter {
  readonly from: number;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

const MAX_BATCH = 500;

export function createPublishQueue<T>(options: PublishQueueOptions<T>): PublishQueue<T> {
  const { bus, toMessages, onPublished, outage, capacity = 5_000 } = options;
  const waiting: T[] = [];
  let durable = 0;
  let isUnderWay = 0;
  let wake = (): void => undefined;
  let waiters: Waiter[] = [];
  /** Why nothing more will be published. */
  let ended: { readonly reason: unknown } | null = null;

  const added = (): number => durable + isUnderWay + waiting.length;

  function untilDurable(count: number): Promise<void> {
    if (durable >= count) return Promise.resolve();
    if (ended !== null) return Promise.reject(ended.reason);
    return new Promise((resolve, reject) => waiters.push({ from: count, resolve, reject }));
  }

  /** Whoever waits for what will not be published is told: a stop waits for them. */
  function end(reason: unknown): void {
    ended = { reason };
    for (const { reject } of waiters.splice(0)) reject(reason);
  }

  async function publish(signal: AbortSignal): Promise<void> {
    const items = waiting.splice(0, MAX_BATCH);
    isUnderWay = items.length;
    const messages = toMessages(items);
    if (messages.length > 0) {
      const send = () =>
        retryWithJitter(() => bus.publish(messages), {
          signal,
          minDelayMs: 50,
          maxDelayMs: 2_000,
          isRetryable: () => true,
          onRetry: (error) => outage.failed(error),
        });
      await inSpan('lending.indexer', { name: 'publish changes' }, send);
    }
    outage.recovered();
    durable += items.length;
    isUnderWay = 0;
    onPublished?.(items, messages);
    const told = waiters.filter(({ from }) => from <= durable);
    waiters = waiters.filter(({ from }) => from > durable);
    for (const { resolve } of told) resolve();
  }

  return {
    add(item) {
      waiting.push(item);
      wake();
    },
    get added() {
      return added();
    },
    get durable() {
      return durable;
    },
    flushed: () => untilDurable(added()),
    room: () => (waiting.length < capacity ? null : untilDurable(added() - capacity / 2)),
    async run(signal) {
      signal.addEventListener('abort', () => wake(), { once: true });
      outage.recovered();
      try {
        while (!signal.aborted) {
          if (waiting.length > 0) await publish(signal);
          else await new Promise<void>((resolve) => (wake = resolve));
        }
        end(signal.reason);
      } catch (error) {
        end(error);
        if (!signal.aborted) throw error;
      }
    },
  };
}

import type { Bus } from '@lending/bus';
import type { Message } from '@lending/events';
import { retryWithJitter } from '@lending/runtime';

export interface OutboxOptions {
  readonly bus: Bus;
  /** Messages kept at most; when more wait the oldest go, and are counted. */
  readonly capacity: number;
  /** Pause before a part that the log did not take is tried again; it grows from here. Default 100. */
  readonly retryMs?: number;
  /** Told of every part that is durable. */
  readonly onSent?: (messages: readonly Message[]) => void;
  /** Told how sending goes: null when nothing waits any more. */
  readonly onState?: (error: unknown) => void;
  /** Told how many messages a stop leaves unsent: they waited in memory. */
  readonly onLeft?: (messages: number) => void;
}

/** Between what is read and the log. */
export interface Outbox {
  /** Takes messages at once; they are sent in the order given. */
  put(messages: readonly Message[]): void;
  /** Sends until the signal aborts, and once more then, so that what was read last is not lost to a stop. */
  run(signal: AbortSignal): Promise<void>;
  /** Messages that wait. */
  readonly size: number;
  /** Messages given up because too many waited. */
  readonly dropped: number;
}

/** Sent at once, so that a long backlog gets ahead even where the log cannot take all of it in the time one publish may take. */
const PART_MESSAGES = 2_000;

/**
 * Keeps messages while the log cannot take them, so that an outage of the log is no gap in history: what is read goes on being read
 * on its beat, and is sent in order later.
 */
export function createOutbox(options: OutboxOptions): Outbox {
  const { bus, capacity, retryMs = 100, onSent, onState, onLeft } = options;
  let waiting: readonly Message[] = [];
  let dropped = 0;
  let wake = Promise.withResolvers<void>();

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const part = waiting.slice(0, PART_MESSAGES);
      await bus.publish(part);
      // Meanwhile the oldest may have been given up, and those are of this part.
      const sent = new Set(part);
      waiting = waiting.filter((message) => !sent.has(message));
      onSent?.(part);
    }
    onState?.(null);
  }

  /** Returns when something waits. */
  async function untilPut(signal: AbortSignal): Promise<void> {
    const onAbort = (): void => wake.resolve();
    signal.addEventListener('abort', onAbort, { once: true });
    if (waiting.length === 0 && !signal.aborted) await wake.promise;
    signal.removeEventListener('abort', onAbort);
    wake = Promise.withResolvers();
  }

  return {
    put(messages) {
      const all = [...waiting, ...messages];
      waiting = all.slice(Math.max(0, all.length - capacity));
      dropped += all.length - waiting.length;
      wake.resolve();
    },
    async run(signal) {
      while (!signal.aborted) {
        await untilPut(signal);
        await retryWithJitter(drain, {
          signal,
          minDelayMs: retryMs,
          isRetryable: () => true,
          onRetry: (error) => onState?.(error),
        }).catch((error: unknown) => {
          if (!signal.aborted) throw error;
        });
      }
      await drain().catch(() => undefined);
      if (waiting.length > 0) onLeft?.(waiting.length);
    },
    get size() {
      return waiting.length;
    },
    get dropped() {
      return dropped;
    },
  };
}

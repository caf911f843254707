import { setImmediate as nextTick } from 'node:timers/promises';
import type { Leadership } from '@lending/rate-poller';

/** Lets the beats of one poller through together, so that a test says when every venue is read, and how often. */
export interface Turnstile extends Leadership {
  /** Lets every beat run once; resolves when all of them wait again, or failed and wait again. */
  turn(): Promise<void>;
}

/** @param beats venues that the poller samples; P0 is one. */
export function createTurnstile(leadership: Leadership, beats: number): Turnstile {
  const waiting: (() => void)[] = [];
  let arrived = Promise.withResolvers<void>();

  async function untilWaiting(count: number): Promise<void> {
    while (waiting.length < count) await arrived.promise;
  }

  return {
    get state() {
      return leadership.state;
    },
    async untilLeading(signal) {
      await leadership.untilLeading(signal);
      const turned = Promise.withResolvers<void>();
      const onAbort = (): void => turned.reject(signal.reason);
      signal.throwIfAborted();
      signal.addEventListener('abort', onAbort, { once: true });
      waiting.push(turned.resolve);
      arrived.resolve();
      arrived = Promise.withResolvers();
      await turned.promise.finally(() => signal.removeEventListener('abort', onAbort));
    },
    async turn() {
      await untilWaiting(beats);
      // Besides its beats a poller asks once or twice, at its start, whether it leads; those do not come again.
      await nextTick();
      for (const pass of waiting.splice(0)) pass();
      await untilWaiting(beats);
    },
  };
}

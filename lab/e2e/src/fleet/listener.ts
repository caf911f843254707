import { setTimeout as sleep } from 'node:timers/promises';
import { type Heard, type HeardEvent, hear } from '@lending/testing';

/** Somebody who listens for as long as the test lasts, and goes on from where he was cut off. */
export interface Listener {
  readonly events: readonly HeardEvent[];
  /** Resolves when he hears for the first time. */
  readonly begun: Promise<void>;
  /** How often he had to come again. */
  readonly cuts: () => number;
  /** Answers other than a stream. */
  readonly refusals: readonly string[];
  stop(): Promise<void>;
}

/** Who was cut off comes again so soon; EventSource waits as long as it is told. */
const PAUSE_MS = 200;
const MANY = 100_000;

export function startListener(url: string): Listener {
  const events: HeardEvent[] = [];
  const refusals: string[] = [];
  let cuts = -1;
  let isStopped = false;
  let current: Heard | null = null;
  const begun = Promise.withResolvers<void>();
  const running = (async () => {
    let lastId = '';
    while (!isStopped) {
      try {
        const headers: Record<string, string> = lastId === '' ? {} : { 'last-event-id': lastId };
        current = await hear(url, headers);
        if (current.response.status === 200) {
          cuts += 1;
          begun.resolve();
        } else refusals.push(`${current.response.status}`);
        if (isStopped) current.leave();
        await current.ended;
        lastId = current.lastId() || lastId;
        events.push(...(await current.take(MANY, 0)));
      } catch (error) {
        refusals.push(String(error));
      }
      await sleep(PAUSE_MS);
    }
  })();
  return {
    events,
    begun: begun.promise,
    cuts: () => Math.max(0, cuts),
    refusals,
    async stop() {
      isStopped = true;
      current?.leave();
      await running;
    },
  };
}

import { setTimeout as sleep } from 'node:timers/promises';

/** What somebody asks again and again. */
export interface Asker {
  readonly name: string;
  /** Between an answer and the next question; default: no pause worth naming. */
  readonly everyMs?: number;
  /** @throws when it was not answered, or wrongly. */
  ask(): Promise<void>;
}

export interface AskFailure {
  readonly asker: string;
  readonly reason: string;
}

/** People who ask all the time, whatever happens. */
export interface Traffic {
  readonly failures: readonly AskFailure[];
  readonly counts: ReadonlyMap<string, number>;
  /** Resolves when each of these has begun to ask once more, and was answered or not. */
  untilAsked(askers: readonly Asker[]): Promise<void>;
  /** Lets everybody finish. */
  stop(): Promise<void>;
}

/** Everything but the services shares one thread with the chain: who asks faster keeps the chain from its slots. */
const PAUSE_MS = 200;
const LOOK_MS = 20;

export function startTraffic(askers: readonly Asker[]): Traffic {
  const failures: AskFailure[] = [];
  const counts = new Map<string, number>();
  const rounds = new Map<string, number>();
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = askers.map(async ({ name, everyMs = PAUSE_MS, ask }) => {
    while (!signal.aborted) {
      try {
        await ask();
        counts.set(name, (counts.get(name) ?? 0) + 1);
      } catch (error) {
        const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
        failures.push({ asker: name, reason: reason.slice(0, 2_000) });
      }
      rounds.set(name, (rounds.get(name) ?? 0) + 1);
      await sleep(everyMs, undefined, { signal }).catch(() => undefined);
    }
  });
  return {
    failures,
    counts,
    async untilAsked(again) {
      const before = new Map(rounds);
      // What is asked now began before.
      const isBehind = ({ name }: Asker) => (rounds.get(name) ?? 0) < (before.get(name) ?? 0) + 2;
      while (again.some(isBehind)) await sleep(LOOK_MS);
    },
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

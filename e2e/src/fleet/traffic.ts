import { setTimeout as sleep } from 'node:timers/promises';

/** What somebody asks again and again. */
export interface Asker {
  readonly name: string;
  /** @throws when it was not answered, or wrongly. */
  ask(): Promise<void>;
}

export interface AskFailure {
  readonly asker: string;
  readonly reason: string;
  readonly beganMs: number;
  readonly endedMs: number;
}

/** People who ask without a pause worth naming. */
export interface Traffic {
  readonly failures: readonly AskFailure[];
  readonly counts: ReadonlyMap<string, number>;
  /** How long answers took since the last look, ms, all of them. */
  takeDurations(): readonly number[];
  /** Resolves when each of these has begun to ask once more, and was answered or not. */
  untilAsked(askers: readonly Asker[]): Promise<void>;
  /** Lets everybody finish. */
  stop(): Promise<void>;
}

/** Everything but the services shares one thread with the chain: who asks faster keeps the chain from its slots. */
const PAUSE_MS = 200;

export function startTraffic(askers: readonly Asker[]): Traffic {
  const failures: AskFailure[] = [];
  const counts = new Map<string, number>();
  const rounds = new Map<string, number>();
  let durations: number[] = [];
  let isStopped = false;
  const running = askers.map(async ({ name, ask }) => {
    while (!isStopped) {
      const beganMs = performance.now();
      try {
        await ask();
        counts.set(name, (counts.get(name) ?? 0) + 1);
      } catch (error) {
        const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
        failures.push({ asker: name, reason: reason.slice(0, 2_000), beganMs, endedMs: performance.now() });
      }
      durations.push(performance.now() - beganMs);
      rounds.set(name, (rounds.get(name) ?? 0) + 1);
      await sleep(PAUSE_MS);
    }
  });
  return {
    failures,
    counts,
    takeDurations() {
      const taken = durations;
      durations = [];
      return taken;
    },
    async untilAsked(again) {
      const before = new Map(rounds);
      // What is asked now began before.
      const isBehind = ({ name }: Asker) => (rounds.get(name) ?? 0) < (before.get(name) ?? 0) + 2;
      while (again.some(isBehind)) await sleep(PAUSE_MS / 4);
    },
    async stop() {
      isStopped = true;
      await Promise.all(running);
    },
  };
}

/** The part of values below which a share of them lies; 0 of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

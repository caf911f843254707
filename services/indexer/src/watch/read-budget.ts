import { setTimeout as sleep } from 'node:timers/promises';

/** How many reads a node is asked for: repair and the past wait for their turn, people who ask do not. */
export interface ReadBudget {
  /** Resolves when one more read is within the ceiling; rejects when the signal aborts. */
  take(signal: AbortSignal): Promise<void>;
  /** Takes reads that cannot wait; those that wait, wait longer. */
  spend(reads: number): void;
}

/** What may be saved up, in seconds of the ceiling. */
const BURST_SECONDS = 0.5;
/** What reads that cannot wait may take of those that can, in seconds of the ceiling. */
const MAX_DEBT_SECONDS = 2;

export function createReadBudget(readsPerSecond: number, now: () => number = () => performance.now()): ReadBudget {
  const most = Math.max(1, readsPerSecond * BURST_SECONDS);
  let saved = most;
  let countedAt = now();

  function count(): void {
    const at = now();
    saved = Math.min(most, saved + ((at - countedAt) / 1_000) * readsPerSecond);
    countedAt = at;
  }

  return {
    async take(signal) {
      signal.throwIfAborted();
      count();
      saved -= 1;
      // Whoever comes first is served first: each takes its place by what it owes.
      if (saved < 0) await sleep((-saved / readsPerSecond) * 1_000, undefined, { signal });
    },
    spend(reads) {
      count();
      saved = Math.max(-readsPerSecond * MAX_DEBT_SECONDS, saved - reads);
    },
  };
}

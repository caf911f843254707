import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_MS = 100;
const LONGEST_MS = 5_000;

/** The pause before attempt `attempt` (1 is the first retry): doubled each time, up to 5 s, with jitter from half to full. */
export function computeBackoffMs(attempt: number, random: () => number = Math.random): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt - 1, 16));
  return Math.round(full * (0.5 + random() / 2));
}

/** Waits, or returns at once when `signal` aborts. Never throws. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

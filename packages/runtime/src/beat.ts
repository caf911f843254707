import { setTimeout as sleep } from 'node:timers/promises';

export interface BeatOptions {
  /** Told of every failed run; the beat goes on. */
  readonly onError?: (error: unknown, attempt: { readonly failures: number; readonly delayMs: number }) => void;
  /** Longest pause after repeated failures; default ten intervals, at least 10 s. */
  readonly maxDelayMs?: number;
  /** 0 to 1, for the jitter of the pause after a failure. */
  readonly random?: () => number;
}

/**
 * Runs a task on a beat until the signal aborts; resolves then, after the run at hand ended. Runs never overlap. The beat keeps
 * its phase: a run that takes longer than the interval skips the beats it missed instead of shifting those that follow.
 * After a failure the pause doubles, with jitter, and returns to the beat after the next success.
 */
export async function runBeat(
  intervalMs: number,
  signal: AbortSignal,
  task: (signal: AbortSignal) => Promise<void>,
  options: BeatOptions = {},
): Promise<void> {
  const { maxDelayMs = Math.max(10_000, 10 * intervalMs), random = Math.random } = options;
  const startMs = performance.now();
  let failures = 0;
  while (!signal.aborted) {
    let delayMs: number;
    try {
      await task(signal);
      failures = 0;
      delayMs = untilNextBeat(performance.now() - startMs, intervalMs);
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      delayMs = Math.min(maxDelayMs, intervalMs * 2 ** (failures - 1)) * (0.5 + random() / 2);
      options.onError?.(error, { failures, delayMs });
    }
    await sleep(delayMs, undefined, { signal }).catch(() => undefined);
  }
}

function untilNextBeat(elapsedMs: number, intervalMs: number): number {
  return intervalMs - (elapsedMs % intervalMs);
}

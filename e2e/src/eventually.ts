import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats `probe` until it stops throwing; its last error is thrown when `timeoutMs` have passed. */
export async function eventually<T>(probe: () => Promise<T>, timeoutMs = 60_000, pauseMs = 100): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await probe();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(pauseMs);
    }
  }
}

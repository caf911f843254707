import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats `probe` until it stops throwing; its last error is thrown when `timeoutMs` have passed, which only a hang reaches. */
export async function eventually<T>(probe: () => Promise<T>, timeoutMs = 180_000, pauseMs = 100): Promise<T> {
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

/**
 * Waits for work and keeps the membership alive meanwhile: kafkajs beats only when asked.
 *
 * A heartbeat that fails (the group rebalances) is thrown after the work is done: kafkajs then joins again, and must not while
 * a handler still runs.
 */
export async function beatWhile<T>(work: Promise<T>, heartbeat: () => Promise<void>, everyMs: number): Promise<T> {
  const beats = startBeats(heartbeat, everyMs);
  try {
    const result = await work;
    beats.throwIfFailed();
    return result;
  } finally {
    beats.stop();
  }
}

/** The same for a condition that nobody works on: a heartbeat that fails is thrown at once. */
export async function beatUntil(ready: Promise<void>, heartbeat: () => Promise<void>, everyMs: number): Promise<void> {
  const beats = startBeats(heartbeat, everyMs);
  try {
    await Promise.race([ready, beats.failed]);
  } finally {
    beats.stop();
  }
}

interface Beats {
  /** Rejects when a heartbeat fails; never resolves. */
  readonly failed: Promise<never>;
  throwIfFailed(): void;
  stop(): void;
}

function startBeats(heartbeat: () => Promise<void>, everyMs: number): Beats {
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  const failures: unknown[] = [];
  const timer = setInterval(() => {
    heartbeat().catch((error: unknown) => {
      failures.push(error);
      failed.reject(error);
    });
  }, everyMs);
  return {
    failed: failed.promise,
    throwIfFailed: () => {
      if (failures.length > 0) throw failures[0];
    },
    stop: () => clearInterval(timer),
  };
}

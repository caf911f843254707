/** What the projections tell: rows fed by this topic changed, those of these keys where they are named (null: any). */
export interface Change {
  readonly topic: string;
  readonly keys?: readonly string[] | null;
}

/** Wakes whoever waits for rows of one key. Notices can be missed, so nobody waits on them alone. */
export interface ChangeFeed {
  /** Hands a notice on; without one, anything may have changed. */
  tell(change?: Change): void;
  /** Calls back with every notice; answers how to stop that. */
  watch(listener: (change?: Change) => void): () => void;
  /** Resolves at the next change of the key, or of unnamed ones, and after the time at the latest. */
  next(key: string, timeoutMs: number): Promise<void>;
}

export function createChangeFeed(): ChangeFeed {
  const waiting = new Map<string, Set<() => void>>();
  const watching = new Set<(change?: Change) => void>();

  function wake(key: string): void {
    for (const resolve of waiting.get(key) ?? []) resolve();
  }

  return {
    tell(change) {
      for (const listener of watching) listener(change);
      if (waiting.size === 0) return;
      for (const key of change?.keys ?? [...waiting.keys()]) wake(key);
    },
    watch(listener) {
      watching.add(listener);
      return () => void watching.delete(listener);
    },
    async next(key, timeoutMs) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const waiters = waiting.get(key) ?? new Set();
      waiters.add(resolve);
      waiting.set(key, waiters);
      const timer = setTimeout(resolve, timeoutMs);
      try {
        await promise;
      } finally {
        clearTimeout(timer);
        waiters.delete(resolve);
        if (waiters.size === 0 && waiting.get(key) === waiters) waiting.delete(key);
      }
    },
  };
}

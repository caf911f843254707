import type { Logger } from '@lending/runtime';

export interface HotSetOptions<T> {
  /** Reads what is kept. */
  readonly load: () => Promise<T>;
  /** Whether the value has nothing to answer from yet; every `get` loads again then. */
  readonly isEmpty: (value: T) => boolean;
  readonly logger: Logger;
  /** Names the failed load in the log. */
  readonly failEvent: `${string}.${string}.${string}`;
  readonly now: () => number;
  /** The next `get` loads a value older than this again, marked changed or not. */
  readonly maxAgeMs: number;
  /** A `get` waits for the new value where the old one is older than this. Default: no age makes it wait. */
  readonly waitAfterMs?: number;
}

/** A set that is read less often than this rests: changes load nothing, and the next `get` waits for a load. */
const REST_MS = 5_000;

/**
 * Something read from the tables and kept in memory, ready to be served.
 *
 * States: empty → loaded ⇄ loading. `get` on empty waits for the first load. Once loaded, `get` answers at once from memory; what is
 * marked changed or too old is replaced in the background, one load at a time, so a slow database makes answers older (`as_of` says
 * so) and not slow. A set without readers rests: the first `get` after a change waits for one load, as does every `get` beside it.
 */
export interface HotSet<T> {
  /** @throws STORE__UNAVAILABLE when there is nothing yet and the database does not answer. */
  get(): Promise<T>;
  /** Loads again at once where the set is read often or has listeners, else with the next `get`. Loads nothing before the first `get`. */
  markChanged(): void;
  /** Calls back with every value loaded from now on; returns what ends that. */
  onLoad(listener: (value: T) => void): () => void;
  /** Loads nothing more by itself; resolves when nothing is being loaded. */
  close(): Promise<void>;
}

/** Loads nothing before the first `get`. */
export function createHotSet<T>(options: HotSetOptions<T>): HotSet<T> {
  const { logger, now, maxAgeMs, waitAfterMs = Number.POSITIVE_INFINITY } = options;
  let current: { readonly value: T; readonly loadedAtMs: number; readonly changes: number } | undefined;
  let loading: Promise<T> | undefined;
  /** Changes marked so far. */
  let changes = 0;
  /** A `get` waits until a load began after so many of them. */
  let awaitedChanges = 0;
  let readAtMs = Number.NEGATIVE_INFINITY;
  let wantedUntilMs = Number.NEGATIVE_INFINITY;
  let isClosed = false;
  const listeners = new Set<(value: T) => void>();

  function load(): Promise<T> {
    const before = changes;
    loading ??= loadOnce(before).finally(() => {
      loading = undefined;
      if (changes > before) loadUnlessResting();
    });
    return loading;
  }

  async function loadOnce(before: number): Promise<T> {
    const value = await options.load();
    current = { value, loadedAtMs: now(), changes: before };
    for (const listener of listeners) listener(value);
    return value;
  }

  function loadUnlessResting(): void {
    const isWanted = listeners.size > 0 || now() <= wantedUntilMs;
    if (current !== undefined && loading === undefined && isWanted && !isClosed) void loadInBackground();
  }

  async function loadInBackground(): Promise<void> {
    try {
      await load();
    } catch (error) {
      // While the database is away, readers do not wait for each attempt.
      awaitedChanges = 0;
      logger.warn(options.failEvent, { error });
    }
  }

  return {
    async get() {
      const nowMs = now();
      if (nowMs > wantedUntilMs) awaitedChanges = changes;
      if (nowMs - readAtMs <= REST_MS) wantedUntilMs = nowMs + REST_MS;
      readAtMs = nowMs;
      if (current === undefined || options.isEmpty(current.value)) return load();
      if (isClosed) return current.value;
      const ageMs = nowMs - current.loadedAtMs;
      if (ageMs > waitAfterMs || current.changes < awaitedChanges) await loadInBackground();
      else if (ageMs > maxAgeMs || current.changes < changes) void loadInBackground();
      return current.value;
    },
    markChanged() {
      changes += 1;
      loadUnlessResting();
    },
    onLoad(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      isClosed = true;
      await Promise.allSettled([loading]);
    },
  };
}

import type { Logger } from '@lending/runtime';

export interface HotSetOptions<T> {
  /** Reads what is kept. */
  readonly load: () => Promise<T>;
  /** Whether there is nothing to answer from yet; asked again then. */
  readonly isEmpty: (value: T) => boolean;
  readonly logger: Logger;
  /** Names the failed load in the log. */
  readonly failEvent: `${string}.${string}.${string}`;
  readonly now: () => number;
  /** Older than this it is read again when it is next asked for, told of a change or not. */
  readonly maxAgeMs: number;
  /** Older than this whoever asks waits for the new one. Default: nobody waits while others ask. */
  readonly waitAfterMs?: number;
}

/** Asked for more seldom than this, it is not read anew by itself, however much changes: whoever asks then waits for what is new. */
const REST_MS = 5_000;

/**
 * Something read from the tables and kept in memory, ready to be served.
 *
 * States: empty → loaded ⇄ loading. `get` on empty waits for the first load. Once loaded, `get` answers at once from memory; what is
 * marked changed or too old is replaced in the background, one load at a time, so a slow database makes answers older (`as_of` says
 * so) and never slow. What nobody asks for rests.
 */
export interface HotSet<T> {
  /** @throws STORE__UNAVAILABLE when there is nothing yet and the database does not answer. */
  get(): Promise<T>;
  /** Reads anew as soon as may be, where it is asked for often or listened to. Does nothing before the first `get`. */
  markChanged(): void;
  /** Calls back with whatever is loaded from now on; answers how to stop that. */
  onLoad(listener: (value: T) => void): () => void;
  /** Loads nothing more by itself; resolves when nothing is being loaded. */
  close(): Promise<void>;
}

/** Loads nothing until it is first asked. */
export function createHotSet<T>(options: HotSetOptions<T>): HotSet<T> {
  const { logger, now, maxAgeMs, waitAfterMs = Number.POSITIVE_INFINITY } = options;
  let current: { readonly value: T; readonly loadedAtMs: number } | undefined;
  let loading: Promise<T> | undefined;
  let isChanged = false;
  let askedAtMs = Number.NEGATIVE_INFINITY;
  let wantedUntilMs = Number.NEGATIVE_INFINITY;
  let isClosed = false;
  const listeners = new Set<(value: T) => void>();

  function load(): Promise<T> {
    loading ??= loadOnce().finally(() => {
      loading = undefined;
      if (isChanged) loadUnlessResting();
    });
    return loading;
  }

  async function loadOnce(): Promise<T> {
    isChanged = false;
    const value = await options.load();
    current = { value, loadedAtMs: now() };
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
      logger.warn(options.failEvent, { error });
    }
  }

  return {
    async get() {
      const isSeldom = now() - askedAtMs > REST_MS;
      askedAtMs = now();
      if (!isSeldom) wantedUntilMs = askedAtMs + REST_MS;
      if (current === undefined || options.isEmpty(current.value)) return load();
      const ageMs = now() - current.loadedAtMs;
      if ((ageMs > waitAfterMs || (isChanged && isSeldom)) && !isClosed) await loadInBackground();
      else if ((isChanged || ageMs > maxAgeMs) && !isClosed) void loadInBackground();
      return current.value;
    },
    markChanged() {
      isChanged = true;
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

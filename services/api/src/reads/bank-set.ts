import { describeError } from '@lending/errors';
import type { Logger } from '@lending/runtime';
import { type BankSnapshot, buildSnapshot } from './bank-snapshot.ts';
import type { ReadStore } from './read-store.ts';
import { createTrailingMeans } from './trailing-means.ts';

export interface BankSetOptions {
  readonly store: ReadStore;
  readonly logger: Logger;
  readonly now?: () => number;
  /** A snapshot older than this is reloaded when it is next asked for, notified or not. Default 2 s. */
  readonly maxAgeMs?: number;
  /** How often trailing means are read at most. Default 5 minutes. */
  readonly trailingMaxAgeMs?: number;
}

/**
 * The hot set: every bank in memory, ready to be served.
 *
 * States: empty → loaded ⇄ loading. `get` on empty waits for the first load. Once loaded, `get` answers at once from memory;
 * a snapshot that is marked changed or too old is replaced in the background, one load at a time, so a slow database makes
 * answers older (`as_of` says so) and never slow.
 */
export interface BankSet {
  /** @throws STORE__UNAVAILABLE when there is no snapshot yet and the database does not answer. */
  get(): Promise<BankSnapshot>;
  /** Called on a notification that rows changed. */
  markChanged(): void;
  /** Loads nothing more by itself; resolves when nothing is being loaded. */
  close(): Promise<void>;
}

/** Loads nothing until it is first asked. */
export function createBankSet(options: BankSetOptions): BankSet {
  const { store, logger, now = Date.now, maxAgeMs = 2_000, trailingMaxAgeMs = 300_000 } = options;
  const trailing = createTrailingMeans({ store, logger, now, maxAgeMs: trailingMaxAgeMs, onRead: markChanged });
  let current: BankSnapshot | undefined;
  let loading: Promise<BankSnapshot> | undefined;
  let isChanged = false;
  let version = 0;
  let isClosed = false;

  function load(): Promise<BankSnapshot> {
    loading ??= loadOnce().finally(() => {
      loading = undefined;
      if (isChanged && !isClosed) void loadInBackground();
    });
    return loading;
  }

  async function loadOnce(): Promise<BankSnapshot> {
    isChanged = false;
    const [rows, rejected] = await Promise.all([store.listBanks(), store.listRejectedBanks()]);
    version += 1;
    const content = buildSnapshot(rows, rejected, trailing.get(), logger);
    current = { ...content, version, loadedAtMs: now(), rendered: new Map() };
    if (!isClosed) trailing.keepYoung(current.chainTimeMs);
    return current;
  }

  async function loadInBackground(): Promise<void> {
    try {
      await load();
    } catch (error) {
      logger.warn('read.bank.load', { error: describeError(error) });
    }
  }

  function markChanged(): void {
    isChanged = true;
    if (current !== undefined && loading === undefined && !isClosed) void loadInBackground();
  }

  return {
    async get() {
      if (current === undefined || current.entries.size === 0) return load();
      const isOld = now() - current.loadedAtMs > maxAgeMs;
      if ((isChanged || isOld) && !isClosed) void loadInBackground();
      return current;
    },
    markChanged,
    async close() {
      isClosed = true;
      await Promise.allSettled([loading]);
      await trailing.settled();
    },
  };
}

import { isVenueDecoded } from '@lending/domain';
import { describeError } from '@lending/errors';
import type { Logger } from '@lending/runtime';
import type { BankRow, RejectedBankRow } from '@lending/store';
import type { Bank } from '#tools/bank-fields.ts';
import { oldestReading, type Reading } from './as-of.ts';
import { toBankRecord } from './bank-record.ts';
import type { ReadStore } from './read-store.ts';
import { rejectionReason } from './rejection-reason.ts';
import { TRAILING_DAYS, type TrailingRates, toTrailingRates } from './trailing-rates.ts';

/** One bank of a snapshot: the record, and the reading its rates come from. */
export interface BankEntry {
  readonly record: Bank;
  /** Base of `as_of`: the newest sample, or the configuration where the bank was never sampled. */
  readonly reading: Reading;
  readonly isSampled: boolean;
  /** Whether rates, sizes and price of its venue can be known here at all. */
  readonly isDecoded: boolean;
}

/** All banks as they stood at one load. Never changed; a newer one replaces it. */
export interface BankSnapshot {
  readonly version: number;
  readonly loadedAtMs: number;
  readonly entries: ReadonlyMap<string, BankEntry>;
  /** Banks whose account or row cannot be read at present; the others are intact. */
  readonly skipped: readonly { readonly bank: string; readonly reason: string }[];
  /** The chain's newest known time, ms since 1970. */
  readonly chainTimeMs: number;
  /** Replies rendered from this snapshot, by what was asked. Goes away with it. */
  readonly rendered: Map<string, unknown>;
}

export interface BankSetOptions {
  readonly store: ReadStore;
  readonly logger: Logger;
  readonly now?: () => number;
  /** A snapshot older than this is reloaded when it is next asked for, notified or not. */
  readonly maxAgeMs?: number;
  /** Trailing means move slowly and cost a scan of the samples: read at most this often. */
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
  get(): Promise<BankSnapshot>;
  /** Called on a notification that rows changed. */
  markChanged(): void;
  /** Loads nothing more by itself; resolves when nothing is being loaded. */
  close(): Promise<void>;
}

export function createBankSet(options: BankSetOptions): BankSet {
  const { store, logger, now = Date.now, maxAgeMs = 2_000, trailingMaxAgeMs = 300_000 } = options;
  let current: BankSnapshot | undefined;
  let loading: Promise<BankSnapshot> | undefined;
  let isChanged = false;
  let version = 0;
  let trailing: ReadonlyMap<string, TrailingRates> = new Map();
  let trailingReadAtMs = Number.NEGATIVE_INFINITY;
  let readingTrailing: Promise<void> | undefined;
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
    current = { ...buildSnapshot(rows, rejected, trailing, logger), version, loadedAtMs: now(), rendered: new Map() };
    startReadingTrailing(current.chainTimeMs);
    return current;
  }

  async function loadInBackground(): Promise<void> {
    try {
      await load();
    } catch (error) {
      logger.warn('read.bank.load', { error: describeError(error) });
    }
  }

  function startReadingTrailing(chainTimeMs: number): void {
    if (isClosed || readingTrailing !== undefined || now() - trailingReadAtMs < trailingMaxAgeMs) return;
    trailingReadAtMs = now();
    readingTrailing = readTrailing(new Date(chainTimeMs)).finally(() => {
      readingTrailing = undefined;
    });
  }

  async function readTrailing(until: Date): Promise<void> {
    try {
      const windows = await Promise.all(TRAILING_DAYS.map((days) => store.readTrailingRates(until, days)));
      trailing = toTrailingRates(windows.flat());
      if (trailing.size > 0) markChanged();
    } catch (error) {
      logger.warn('read.trailing.load', { error: describeError(error) });
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
      await Promise.allSettled([loading, readingTrailing]);
    },
  };
}

function buildSnapshot(
  rows: readonly BankRow[],
  rejected: readonly RejectedBankRow[],
  trailing: ReadonlyMap<string, TrailingRates>,
  logger: Logger,
): Pick<BankSnapshot, 'entries' | 'skipped' | 'chainTimeMs'> {
  const chainTimeMs = rows.reduce((newest, row) => Math.max(newest, newestTimeMs(row)), 0);
  const entries = new Map<string, BankEntry>();
  const skipped: BankSnapshot['skipped'][number][] = rejected.map(({ bank, reason }) => ({
    bank,
    reason: rejectionReason(reason),
  }));
  const isRejected = new Set(skipped.map(({ bank }) => bank));
  for (const row of rows) {
    // What its account said before it became unreadable is not what it says now.
    if (isRejected.has(row.address)) continue;
    try {
      const record = toBankRecord(row, chainTimeMs, trailing.get(row.address));
      entries.set(row.address, {
        record,
        reading: readingOf(row),
        isSampled: row.sample_slot !== null,
        isDecoded: isVenueDecoded(row.venue),
      });
    } catch (error) {
      skipped.push({ bank: row.address, reason: 'its stored record cannot be read' });
      logger.error('read.bank.skip', { bank: row.address, error });
    }
  }
  return { entries, skipped, chainTimeMs };
}

function newestTimeMs(row: BankRow): number {
  return Math.max(row.slot_time.getTime(), row.sample_time?.getTime() ?? 0, row.price_slot_time?.getTime() ?? 0);
}

function readingOf(row: BankRow): Reading {
  if (row.sample_slot === null || row.sample_time === null || row.sample_source === null) {
    return { slot: row.slot, timeMs: row.slot_time.getTime(), source: row.source };
  }
  return { slot: row.sample_slot, timeMs: row.sample_time.getTime(), source: row.sample_source };
}

/**
 * The reading that dates an answer about these banks: the oldest sample among them. Configuration is published when it
 * changes and does not age, so it counts only where no bank was sampled.
 */
export function readingOfBanks(entries: readonly BankEntry[]): Reading | null {
  const sampled = entries.filter(({ isSampled }) => isSampled);
  return oldestReading((sampled.length > 0 ? sampled : entries).map(({ reading }) => reading));
}

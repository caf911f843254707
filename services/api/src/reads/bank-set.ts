import type { Logger } from '@lending/runtime';
import { type BankSnapshot, buildSnapshot } from './bank-snapshot.ts';
import { createHotSet, type HotSet } from './hot-set.ts';
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

/** Every bank in memory, with its trailing means. */
export type BankSet = HotSet<BankSnapshot>;

/** Loads nothing until it is first asked. */
export function createBankSet(options: BankSetOptions): BankSet {
  const { store, logger, now = Date.now, maxAgeMs = 2_000, trailingMaxAgeMs = 300_000 } = options;
  const trailing = createTrailingMeans({
    store,
    logger,
    now,
    maxAgeMs: trailingMaxAgeMs,
    onRead: () => banks.markChanged(),
  });
  let version = 0;
  let isClosed = false;

  const banks = createHotSet<BankSnapshot>({
    load: async () => {
      const [rows, rejected] = await Promise.all([store.listBanks(), store.listRejectedBanks()]);
      version += 1;
      const content = buildSnapshot(rows, rejected, trailing.get(), logger);
      if (!isClosed) trailing.keepYoung(content.chainTimeMs);
      return { ...content, version, rendered: new Map() };
    },
    isEmpty: ({ entries }) => entries.size === 0,
    logger,
    failEvent: 'read.bank.load',
    now,
    maxAgeMs,
  });

  return {
    ...banks,
    async close() {
      isClosed = true;
      await banks.close();
      await trailing.settled();
    },
  };
}

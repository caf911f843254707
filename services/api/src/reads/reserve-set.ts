import type { Logger } from '@lending/runtime';
import type { BankSet } from './bank-set.ts';
import { createHotSet, type HotSet } from './hot-set.ts';
import type { ReadStore } from './read-store.ts';
import { buildReserves, type ReserveSnapshot } from './reserve-snapshot.ts';

export interface ReserveSetOptions {
  readonly store: ReadStore;
  /** Where prices, symbols and trailing means come from. */
  readonly banks: Pick<BankSet, 'get'>;
  readonly logger: Logger;
  readonly now?: () => number;
  /** Older than this it is read again when it is next asked for. Default 2 s. */
  readonly maxAgeMs?: number;
  /** Older than this whoever asks waits: there may be a thousand reserves and nobody who asks for hours. Default 10 s. */
  readonly waitAfterMs?: number;
}

/** The venues' pools in memory, read while somebody asks for them. */
export type ReserveSet = HotSet<ReserveSnapshot>;

/** Loads nothing until it is first asked. */
export function createReserveSet(options: ReserveSetOptions): ReserveSet {
  const { store, banks, logger, now = Date.now, maxAgeMs = 2_000, waitAfterMs = 10_000 } = options;
  return createHotSet<ReserveSnapshot>({
    load: async () => {
      const [rows, snapshot] = await Promise.all([store.listReserves(), banks.get()]);
      return buildReserves(rows, snapshot, logger);
    },
    isEmpty: ({ entries }) => entries.size === 0,
    logger,
    failEvent: 'read.reserve.load',
    now,
    maxAgeMs,
    waitAfterMs,
  });
}

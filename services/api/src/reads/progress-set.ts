import type { Logger } from '@lending/runtime';
import type { Reading } from './as-of.ts';
import { createHotSet, type HotSet } from './hot-set.ts';
import type { ReadStore } from './read-store.ts';

/** How far the indexer has come. */
export interface Progress {
  /** Everything up to here is in the tables; null before the indexer said so. */
  readonly tip: Reading | null;
  readonly rootSlot: bigint | null;
  /** Whether all lending accounts there are have been read and are kept up to date, whoever asked for them or not. */
  readonly areAccountsComplete: boolean;
  /** The same of what was ever done to them. */
  readonly isActivityComplete: boolean;
}

export interface ProgressSetOptions {
  readonly store: Pick<ReadStore, 'readChainProgress' | 'readIndexTask' | 'isPastWhole'>;
  /** The program whose transactions are everybody's activity. */
  readonly program: string;
  readonly logger: Logger;
  readonly now?: () => number;
  /** Default 500 ms: a tip that is a little old makes answers look a little older than they are, never younger. */
  readonly maxAgeMs?: number;
  /** Default 2 s. */
  readonly waitAfterMs?: number;
}

/** One pass over all lending accounts there are. */
const ACCOUNTS_TASK = 'accounts';

export type ProgressSet = HotSet<Progress>;

/** Loads nothing until it is first asked. */
export function createProgressSet(options: ProgressSetOptions): ProgressSet {
  const { store, program, logger, now = Date.now, maxAgeMs = 500, waitAfterMs = 2_000 } = options;
  return createHotSet<Progress>({
    load: async () => {
      const [chain, accounts, isPastWhole] = await Promise.all([
        store.readChainProgress(),
        store.readIndexTask(ACCOUNTS_TASK),
        store.isPastWhole(program),
      ]);
      const areAccountsComplete = accounts?.is_complete === true;
      return {
        tip:
          chain === null
            ? null
            : { slot: chain.tip_slot, timeMs: chain.tip_time.getTime(), source: chain.source, kind: 'sample' },
        rootSlot: chain?.root_slot ?? null,
        areAccountsComplete,
        isActivityComplete: areAccountsComplete && isPastWhole,
      };
    },
    isEmpty: ({ tip }) => tip === null,
    logger,
    failEvent: 'read.progress.load',
    now,
    maxAgeMs,
    waitAfterMs,
  });
}

import type { Logger } from '@lending/runtime';
import type { BankMeasureRow } from '@lending/store';
import { type MeasuredBank, toMeasuredBank } from './bank-measure.ts';
import type { BankSet } from './bank-set.ts';
import type { BankSnapshot } from './bank-snapshot.ts';
import { createHotSet, type HotSet } from './hot-set.ts';
import type { ReadStore } from './read-store.ts';

/** All banks with what values accounts, as they stood at one load. Never changed; a newer one replaces it. */
export interface MeasureSnapshot {
  readonly banks: BankSnapshot;
  readonly measured: ReadonlyMap<string, MeasuredBank>;
  /** The same that lend out, in a fixed order. */
  readonly borrowable: readonly MeasuredBank[];
}

export interface MeasureSetOptions {
  readonly store: Pick<ReadStore, 'listBankMeasures'>;
  readonly banks: Pick<BankSet, 'get'>;
  readonly logger: Logger;
  readonly now?: () => number;
  /** Older than this it is read again when it is next asked for. Default 2 s. */
  readonly maxAgeMs?: number;
  /** Older than this whoever asks waits: nobody may have asked for hours. Default 5 s. */
  readonly waitAfterMs?: number;
}

/** Every bank in memory, ready to value accounts with. */
export type MeasureSet = HotSet<MeasureSnapshot>;

/** Loads nothing until it is first asked. */
export function createMeasureSet(options: MeasureSetOptions): MeasureSet {
  const { store, banks, logger, now = Date.now, maxAgeMs = 2_000, waitAfterMs = 5_000 } = options;
  return createHotSet<MeasureSnapshot>({
    load: async () => {
      const [rows, snapshot] = await Promise.all([store.listBankMeasures(), banks.get()]);
      return buildMeasures(rows, snapshot, logger);
    },
    isEmpty: ({ measured }) => measured.size === 0,
    logger,
    failEvent: 'read.measure.load',
    now,
    maxAgeMs,
    waitAfterMs,
  });
}

/** A measure that cannot be read is left out by name and logged: positions in its bank are then not valued. */
export function buildMeasures(
  rows: readonly BankMeasureRow[],
  banks: BankSnapshot,
  logger: Pick<Logger, 'error'>,
): MeasureSnapshot {
  const measured = new Map<string, MeasuredBank>();
  for (const measure of rows) {
    const entry = banks.entries.get(measure.bank);
    if (entry === undefined) continue;
    try {
      measured.set(measure.bank, toMeasuredBank(entry.row, entry.record, measure));
    } catch (error) {
      logger.error('read.measure.skip', { bank: measure.bank, error });
    }
  }
  const all = [...measured.values()];
  return {
    banks,
    measured,
    borrowable: all.filter(({ record }) => record.borrowable),
  };
}

import type { Logger } from '@lending/runtime';
import type { ReadStore } from './read-store.ts';
import { TRAILING_DAYS, type TrailingRates, toTrailingRates } from './trailing-rates.ts';

export interface TrailingMeansOptions {
  readonly store: Pick<ReadStore, 'readTrailingRates'>;
  readonly logger: Logger;
  readonly now: () => number;
  /** They move slowly and cost a scan of the samples: read at most this often. */
  readonly maxAgeMs: number;
  /** Called when there are new ones. */
  readonly onRead: () => void;
}

/** The trailing means of every bank, read in the background so that no caller waits for a scan. */
export interface TrailingMeans {
  /** By bank; empty until they were read once. */
  get(): ReadonlyMap<string, TrailingRates>;
  /** Reads them anew up to the chain's time, unless they are young or being read. A failure is logged; the old ones stay. */
  keepYoung(chainTimeMs: number): void;
  /** Resolves when nothing is being read. */
  settled(): Promise<void>;
}

/** Reads nothing until `keepYoung` is called. */
export function createTrailingMeans(options: TrailingMeansOptions): TrailingMeans {
  const { store, logger, now, maxAgeMs, onRead } = options;
  let means: ReadonlyMap<string, TrailingRates> = new Map();
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  async function read(until: Date): Promise<void> {
    try {
      const windows = await Promise.all(TRAILING_DAYS.map((days) => store.readTrailingRates(until, days)));
      means = toTrailingRates(windows.flat());
      if (means.size > 0) onRead();
    } catch (error) {
      logger.warn('read.trailing.load', { error });
    }
  }

  return {
    get: () => means,
    keepYoung(chainTimeMs) {
      if (reading !== undefined || now() - readAtMs < maxAgeMs) return;
      readAtMs = now();
      reading = read(new Date(chainTimeMs)).finally(() => {
        reading = undefined;
      });
    },
    settled: async () => reading,
  };
}

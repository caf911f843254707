import {
  type Database,
  hasTables,
  listBanks,
  listConsumers,
  listLimitChanges,
  listRejectedBanks,
  listReserves,
  readQuarantine,
  readRateHistory,
  readSampleSpan,
  readServiceStatus,
  readTrailingRates,
  readVenueStatus,
} from '@lending/store';
import type { Interval, RolledFrom } from '#records/history-fields.ts';

/** Buckets of some banks or reserves; both times on the edge of a bucket, the end exclusive. */
export interface HistoryRange {
  readonly banks: readonly string[];
  readonly start: Date;
  readonly end: Date;
  readonly interval: Interval;
}

const BUCKET_SECONDS: Readonly<Record<Interval, number>> = { '1m': 60, '1h': 3_600, '1d': 86_400 };

/** The questions this service asks the tables, bound to a database. Each throws STORE__UNAVAILABLE when it does not answer. */
export function createReadStore(db: Database) {
  return {
    listBanks: () => listBanks(db),
    listRejectedBanks: () => listRejectedBanks(db),
    listReserves: () => listReserves(db),
    listLimitChanges: (page: Parameters<typeof listLimitChanges>[1]) => listLimitChanges(db, page),
    readTrailingRates: (until: Date, days: number) => readTrailingRates(db, until, days),
    readRateHistory: async ({ interval, ...range }: HistoryRange) => ({
      rows: await readRateHistory(db, { ...range, bucketSeconds: BUCKET_SECONDS[interval] }),
      rolledFrom: 'raw' as RolledFrom,
    }),
    readSampleSpan: (address: string, _interval: Interval) => readSampleSpan(db, address),
    readQuarantine: () => readQuarantine(db),
    readVenueStatus: () => readVenueStatus(db),
    hasTables: () => hasTables(db),
    readServiceStatus: () => readServiceStatus(db),
    listConsumers: () => listConsumers(db),
  };
}

/** The same without the database: tests hand in their own. */
export type ReadStore = ReturnType<typeof createReadStore>;

import {
  type Database,
  hasTables,
  listBanks,
  listConsumers,
  listRejectedBanks,
  type RateHistoryRange,
  readRateHistory,
  readSampleSpan,
  readServiceStatus,
  readTrailingRates,
} from '@lending/store';

/** The questions this service asks the tables, bound to a database. Each throws STORE__UNAVAILABLE when it does not answer. */
export function createReadStore(db: Database) {
  return {
    listBanks: () => listBanks(db),
    listRejectedBanks: () => listRejectedBanks(db),
    readTrailingRates: (until: Date, days: number) => readTrailingRates(db, until, days),
    readRateHistory: (range: RateHistoryRange) => readRateHistory(db, range),
    readSampleSpan: (bank: string) => readSampleSpan(db, bank),
    hasTables: () => hasTables(db),
    readServiceStatus: () => readServiceStatus(db),
    listConsumers: () => listConsumers(db),
  };
}

/** The same without the database: tests hand in their own. */
export type ReadStore = ReturnType<typeof createReadStore>;

import {
  type Database,
  hasTables,
  listBanks,
  listConsumers,
  listLimitChanges,
  listRejectedBanks,
  listReserves,
  type RateHistoryRange,
  readHistorySpan,
  readQuarantine,
  readRateHistory,
  readServiceStatus,
  readTrailingRates,
  readVenueStatus,
} from '@lending/store';

/** The questions this service asks the tables, bound to a database. Each throws STORE__UNAVAILABLE when it does not answer. */
export function createReadStore(db: Database) {
  return {
    listBanks: () => listBanks(db),
    listRejectedBanks: () => listRejectedBanks(db),
    listReserves: () => listReserves(db),
    listLimitChanges: (page: Parameters<typeof listLimitChanges>[1]) => listLimitChanges(db, page),
    readTrailingRates: (until: Date, days: number) => readTrailingRates(db, until, days),
    readRateHistory: (range: RateHistoryRange) => readRateHistory(db, range),
    readHistorySpan: (address: string) => readHistorySpan(db, address),
    readQuarantine: () => readQuarantine(db),
    readVenueStatus: () => readVenueStatus(db),
    hasTables: () => hasTables(db),
    readServiceStatus: () => readServiceStatus(db),
    listConsumers: () => listConsumers(db),
  };
}

/** The same without the database: tests hand in their own. */
export type ReadStore = ReturnType<typeof createReadStore>;

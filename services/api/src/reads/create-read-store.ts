import {
  type Database,
  hasTables,
  listBanks,
  listConsumers,
  listRejectedBanks,
  readRateHistory,
  readSampleSpan,
  readServiceStatus,
  readTrailingRates,
} from '@lending/store';
import type { ReadStore } from './read-store.ts';

/** The questions, asked of a database. */
export function createReadStore(db: Database): ReadStore {
  return {
    listBanks: () => listBanks(db),
    listRejectedBanks: () => listRejectedBanks(db),
    readTrailingRates: (until, days) => readTrailingRates(db, until, days),
    readRateHistory: (range) => readRateHistory(db, range),
    readSampleSpan: (bank) => readSampleSpan(db, bank),
    hasTables: () => hasTables(db),
    readServiceStatus: () => readServiceStatus(db),
    listConsumers: () => listConsumers(db),
  };
}

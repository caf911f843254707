import type {
  BankRow,
  ConsumerStatusRow,
  RateBucketRow,
  RateHistoryRange,
  RejectedBankRow,
  SampleSpan,
  ServiceStatusRow,
  TrailingRateRow,
} from '@lending/store';

/** The questions this service asks the tables, bound to a database; tests hand in their own. */
export interface ReadStore {
  listBanks(): Promise<readonly BankRow[]>;
  listRejectedBanks(): Promise<readonly RejectedBankRow[]>;
  readTrailingRates(until: Date, days: number): Promise<readonly TrailingRateRow[]>;
  readRateHistory(range: RateHistoryRange): Promise<readonly RateBucketRow[]>;
  readSampleSpan(bank: string): Promise<SampleSpan>;
  hasTables(): Promise<boolean>;
  readServiceStatus(): Promise<ServiceStatusRow>;
  listConsumers(): Promise<readonly ConsumerStatusRow[]>;
}

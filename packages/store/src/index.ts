export { type ChainIdentity, claimChain } from './chain-identity.ts';
export { advanceOffset, type OffsetAdvance, readOffsets, resetOffsets } from './consumer-offsets.ts';
export {
  type CreateStoreOptions,
  createStore,
  type Database,
  isRowFailure,
  type Store,
  type StoreLog,
  type Transaction,
} from './create-store.ts';
export { dropOldRateSamples } from './drop-old-rate-samples.ts';
export { insertRateSamples, type RateSampleWrite } from './insert-rate-samples.ts';
export { listBankAddresses } from './list-bank-addresses.ts';
export { type BankRow, listBanks, listRejectedBanks, type RejectedBankRow } from './list-banks.ts';
export { type ListenProjectedOptions, listenProjected, type ProjectedListener } from './listen-projected.ts';
export { type MigrateOptions, migrate } from './migrate.ts';
export { notifyProjected, type ProjectedNotice } from './notify-projected.ts';
export {
  type RateBucketRow,
  type RateHistoryRange,
  readRateHistory,
  readSampleSpan,
  readTrailingRates,
  SAMPLE_HOLD_SECONDS,
  type SampleSpan,
  type TrailingRateRow,
} from './rate-history.ts';
export {
  type ConsumerStatusRow,
  hasTables,
  listConsumers,
  readServiceStatus,
  type ServiceStatusRow,
} from './service-status.ts';
export { type BankRejectionWrite, upsertBankRejections } from './upsert-bank-rejections.ts';
export { type BankWrite, upsertBanks } from './upsert-banks.ts';
export { type OraclePriceWrite, upsertOraclePrices } from './upsert-oracle-prices.ts';

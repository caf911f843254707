export {
  type AccessTokenRow,
  type CallerRow,
  insertAccessToken,
  listAccessTokens,
  revokeAccessTokens,
  useAccessToken,
} from './access-tokens.ts';
export type { ActivityLegWrite, ActivityWrite } from './activity-write.ts';
export {
  advanceChainProgress,
  type ChainProgressWrite,
  forgetReadPast,
  forgetUnfollowedPast,
  type IndexProgressWrite,
  upsertIndexProgress,
} from './advance-progress.ts';
export { answerFollows, type FollowAnswer } from './answer-follows.ts';
export {
  type AuditDifference,
  type BankAuditRow,
  type BankAuditWrite,
  listBankAudits,
  upsertBankAudits,
} from './bank-audits.ts';
export { type ChainIdentity, claimChain } from './chain-identity.ts';
export {
  type ConsumerLagWrite,
  type GroupPositions,
  listTopicLags,
  type PartitionLag,
  readGroupPositions,
  readPartitionLags,
  type TopicLagRow,
  writeConsumerLags,
} from './consumer-lags.ts';
export { advanceOffset, type OffsetAdvance, readOffsets, resetOffsets } from './consumer-offsets.ts';
export {
  addNamedEntry,
  addUnnamedEntry,
  type ConversationBounds,
  type EntryPage,
  type EntryRow,
  listConversationEntries,
  type NamedEntry,
  type UnnamedEntry,
} from './conversation-entries.ts';
export {
  type ConversationKey,
  type ConversationPage,
  type ConversationPlace,
  type ConversationRow,
  createConversation,
  deleteConversation,
  deleteOldConversations,
  type ListedConversationRow,
  listConversations,
  type NewConversation,
  readConversation,
  renameConversation,
} from './conversations.ts';
export {
  type CreateStoreOptions,
  createStore,
  type Database,
  isRowFailure,
  type PoolUsage,
  type Store,
  type StoreLog,
  type Transaction,
} from './create-store.ts';
export { deleteOldQuarantine, deleteOldRateHours } from './delete-old-rates.ts';
export { dropOldRateSamples } from './drop-old-rate-samples.ts';
export {
  dropIdleFollows,
  type FollowedNotice,
  type FollowOutcome,
  type FollowRequest,
  type FollowRow,
  type ListenFollowedOptions,
  listenFollowed,
  listFollowedAddresses,
  readFollow,
  requestFollow,
} from './follows.ts';
export {
  claimKey,
  type KeyClaim,
  type KeyRequest,
  type KeyState,
  reclaimKey,
  releaseKey,
  settleKey,
} from './idempotency-keys.ts';
export { activityKey, insertActivities } from './insert-activities.ts';
export {
  type BackfilledPoint,
  type BackfilledRatesWrite,
  insertBackfilledRates,
} from './insert-backfilled-rates.ts';
export { type GroupChangeWrite, insertGroupChanges } from './insert-group-changes.ts';
export { insertQuarantinedRates, type QuarantinedRateWrite } from './insert-quarantined-rates.ts';
export { insertRateSamples, type RateSampleWrite } from './insert-rate-samples.ts';
export { createLeaderLock, type LeaderLock, type LeaderLockOptions, type LeaderState } from './leader-lock.ts';
export { type AccountOrder, type AccountPage, listAccounts } from './list-accounts.ts';
export { type ActivityFilter, type ActivityListPage, listActivity, listNewestActivity } from './list-activity.ts';
export {
  type AccountBalanceRow,
  type BalancePage,
  type BalanceSide,
  type LargestBalances,
  listBalances,
  listLargestBalances,
} from './list-balances.ts';
export { listBankAddresses } from './list-bank-addresses.ts';
export { type BankMeasureRow, listBankMeasures } from './list-bank-measures.ts';
export { type BankRow, listBanks, listRejectedBanks, type RejectedBankRow } from './list-banks.ts';
export { type DayPricesRow, listDayPrices } from './list-day-prices.ts';
export {
  type GroupChangePage,
  type GroupChangePlace,
  type GroupChangeRow,
  listGroupChanges,
} from './list-group-changes.ts';
export {
  type KnownLimitChangeRow,
  type LimitChangeRow,
  listLimitChanges,
  listLimitChangesOf,
} from './list-limit-changes.ts';
export { listOrders, listRebalanceOrders } from './list-orders.ts';
export { listReserves, type ReserveIncentiveRow, type ReserveRow } from './list-reserves.ts';
export { listSwapQuotes, type SwapQuoteRow } from './list-swap-quotes.ts';
export type { Listener } from './listen-channel.ts';
export { type ListenProjectedOptions, listenProjected, type ProjectedListener } from './listen-projected.ts';
export { holdProjection, lockProjection } from './lock-projection.ts';
export { type MigrateOptions, migrate } from './migrate.ts';
export { notifyProjected, type ProjectedNotice } from './notify-projected.ts';
export { deleteExpiredPlans, insertPlan, type PlanRow, type PlanWrite, readPlan } from './plans.ts';
export { type RateBucketRow, type RateHistoryRange, readRateHistory } from './rate-history.ts';
export {
  type CountedPermits,
  deleteLapsedWindows,
  type PermitAnswer,
  type PermitRequest,
  takePermits,
} from './rate-windows.ts';
export {
  type AccountOrderRow,
  type AccountRow,
  type BalanceRow,
  listAccountAddresses,
  type RebalanceOrderRow,
  readAccountsAt,
  readAccountsOf,
  readOrdersOf,
  readRebalanceOrdersOf,
} from './read-accounts.ts';
export {
  type ActivityLegRow,
  type ActivityPage,
  type ActivityPlace,
  type ActivityRow,
  readActivity,
} from './read-activity.ts';
export { type ActivityPriceRow, readActivityPrices } from './read-activity-prices.ts';
export { type HistorySpan, readHistorySpans } from './read-history-spans.ts';
export { type NativeExchangeRateRow, readNativeExchangeRates } from './read-native-exchange-rates.ts';
export {
  type ChainProgressRow,
  type IndexProgressRow,
  isPastWhole,
  listIndexProgress,
  listUnfinalSlots,
  listUnfinishedProgress,
  readChainProgress,
  readIndexTask,
} from './read-progress.ts';
export { type QuarantineRow, readQuarantine } from './read-quarantine.ts';
export { readTrailingRates, type TrailingRateRow } from './read-trailing-rates.ts';
export { readVenueStatus, type VenueStatusRow } from './read-venue-status.ts';
export { type HoldingRow, readWallet, type WalletRow } from './read-wallet.ts';
export { type LimitsSeen, recordLimitChanges } from './record-limit-changes.ts';
export { dropSlots, finalizeSlots, forgetFinalSlots } from './record-slot-finality.ts';
export { recordTagChanges } from './record-tag-changes.ts';
export { addReplayedRows, beginReplayedRows, type ReplayedRow, removeReplayedRows } from './replayed-rows.ts';
export { type RollUpMarks, readRollUpMarks } from './roll-up-marks.ts';
export { type RollUpStep, rollUpDue, rollUpNext, settleRates } from './roll-up-rates.ts';
export { SAMPLE_HOLD_SECONDS } from './sample-buckets.ts';
export {
  type ConsumerStatusRow,
  hasTables,
  listConsumers,
  readServiceStatus,
  type ServiceStatusRow,
} from './service-status.ts';
export { listSources, reportSources, type SourceReport, type SourceRow, type SourceSight } from './source-status.ts';
export { type AccountOrderWrite, upsertAccountOrders } from './upsert-account-orders.ts';
export { type AccountWrite, type BalanceWrite, upsertAccounts } from './upsert-accounts.ts';
export { type BankMeasureWrite, upsertBankMeasures } from './upsert-bank-measures.ts';
export { type BankRejectionWrite, upsertBankRejections } from './upsert-bank-rejections.ts';
export { type BankWrite, upsertBanks } from './upsert-banks.ts';
export { type OraclePriceWrite, upsertOraclePrices } from './upsert-oracle-prices.ts';
export { type RebalanceOrderWrite, upsertRebalanceOrders } from './upsert-rebalance-orders.ts';
export { type ReserveWrite, upsertReserves } from './upsert-reserves.ts';
export { type SwapQuoteWrite, upsertSwapQuotes } from './upsert-swap-quotes.ts';
export { type HoldingWrite, upsertWallets, type WalletWrite } from './upsert-wallets.ts';
export { listVenueBeats, type VenueBeatRow, type VenueBeats, writeVenueBeats } from './venue-beats.ts';

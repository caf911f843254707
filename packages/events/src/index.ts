export { type AccountUpdated, accountUpdatedSchema } from './account-updated.ts';
export { type ActivityRecorded, activityRecordedSchema } from './activity-recorded.ts';
export { type AddressFollowed, addressFollowedSchema } from './address-followed.ts';
export { type BankAudited, bankAuditedSchema } from './bank-audited.ts';
export { type BankMeasured, bankMeasuredSchema } from './bank-measured.ts';
export { type BankRejected, bankRejectedSchema, type RejectionReason } from './bank-rejected.ts';
export { type BankUpdated, bankUpdatedSchema } from './bank-updated.ts';
export { type ForkDropped, forkDroppedSchema } from './fork-dropped.ts';
export { type GroupChanged, groupChangedSchema } from './group-changed.ts';
export { type IndexProgressed, indexProgressedSchema } from './index-progressed.ts';
export {
  createMessage,
  decodeMessage,
  encodeMessage,
  type Message,
  type MessageSource,
  messageId,
  toTime,
} from './message.ts';
export { type OraclePriced, oraclePricedSchema } from './oracle-priced.ts';
export { type OrderUpdated, orderUpdatedSchema } from './order-updated.ts';
export { type RateBackfilled, rateBackfilledSchema } from './rate-backfilled.ts';
export { type QuarantineReason, type RateQuarantined, rateQuarantinedSchema } from './rate-quarantined.ts';
export { type RateSampled, rateSampledSchema } from './rate-sampled.ts';
export type { RebalanceUpdated } from './rebalance-updated.ts';
export { type ReserveUpdated, reserveUpdatedSchema } from './reserve-updated.ts';
export { type SlotFinalized, slotFinalizedSchema } from './slot-finalized.ts';
export { type SwapQuoted, swapQuotedSchema } from './swap-quoted.ts';
export { deadTopicOf, type EventOf, isTopic, TOPICS, type Topic } from './topics.ts';
export { type WalletUpdated, walletUpdatedSchema } from './wallet-updated.ts';

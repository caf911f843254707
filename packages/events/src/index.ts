export { type BankRejected, bankRejectedSchema, type RejectionReason } from './bank-rejected.ts';
export { type BankUpdated, bankUpdatedSchema } from './bank-updated.ts';
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
export { type RateBackfilled, rateBackfilledSchema } from './rate-backfilled.ts';
export { type QuarantineReason, type RateQuarantined, rateQuarantinedSchema } from './rate-quarantined.ts';
export { type RateSampled, rateSampledSchema } from './rate-sampled.ts';
export { type ReserveUpdated, reserveUpdatedSchema } from './reserve-updated.ts';
export { deadTopicOf, type EventOf, isTopic, TOPICS, type Topic } from './topics.ts';

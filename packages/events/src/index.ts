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
export { type RateSampled, rateSampledSchema } from './rate-sampled.ts';
export { deadTopicOf, type EventOf, isTopic, TOPICS, type Topic } from './topics.ts';

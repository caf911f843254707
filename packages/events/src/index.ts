export { type BankRejected, bankRejectedSchema } from './bank-rejected.ts';
export { type BankUpdated, bankUpdatedSchema } from './bank-updated.ts';
export { decodeMessage, encodeMessage, type Message, type MessageSource, messageId } from './message.ts';
export { type OraclePriced, oraclePricedSchema } from './oracle-priced.ts';
export { type RateSampled, rateSampledSchema } from './rate-sampled.ts';
export { deadTopicOf, type EventOf, isTopic, TOPICS, type Topic } from './topics.ts';

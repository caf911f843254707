export {
  type Batch,
  type Bus,
  type ConsumeOptions,
  type Consumer,
  type DeadLetter,
  type LogExtent,
  partitionKey,
  type Received,
  type TopicPartition,
} from './bus.ts';
export type { BusEvent, BusOptions, LogSettings } from './bus-options.ts';
export { type BusConfig, createBus } from './create-bus.ts';
export type { EmbeddedLogConfig } from './embedded-log/embedded-log.ts';
export type { KafkaBusConfig } from './kafka/kafka-bus.ts';

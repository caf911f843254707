export {
  createDataDir,
  NODE_FLAGS,
  type ProcessOptions,
  ROOT,
  type RunningProcess,
  spawnProcess,
  startEmbedded,
  startProcess,
} from './app-process.ts';
export { type Heard, type HeardEvent, hear } from './hear-stream.ts';
export type { KafkaBroker } from './kafka/broker.ts';
export { findKafkaRuntime, KAFKA_NEEDS } from './kafka/runtime.ts';
export { startKafkaBroker } from './kafka-broker.ts';
export { MIGRATIONS_DIR } from './migrations-dir.ts';
export { RAISED_RATE_LIMITS } from './raised-rate-limits.ts';
export { type TestDatabase, useDatabase } from './use-database.ts';

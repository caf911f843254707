export {
  API_ENV,
  BUNDLE,
  bundleOf,
  createDataDir,
  NODE_FLAGS,
  type ProcessOptions,
  ROOT,
  type RunningProcess,
  spawnProcess,
  startEmbedded,
  startProcess,
} from './app-process.ts';
export { bundlePrograms } from './bundle-programs.ts';
export { findFreePort } from './find-free-port.ts';
export { type Heard, type HeardEvent, hear } from './hear-stream.ts';
export type { KafkaBroker } from './kafka/broker.ts';
export { hasKafka, isKafkaMissing, KAFKA_NEEDS } from './kafka/find-java.ts';
export { startKafkaBroker } from './kafka/start-broker.ts';
export { type Link, openLink } from './link.ts';
export {
  type CertificateWishes,
  type MadeAuthority,
  type MadeCertificate,
  makeAuthority,
} from './make-certificates.ts';
export { MIGRATIONS_DIR } from './migrations-dir.ts';
export { NAMED_HANG } from './named-hang.ts';
export { FEW_SWAP_QUOTES, RAISED_RATE_LIMITS } from './raised-rate-limits.ts';
export { startThrowawayPostgres, type ThrowawayPostgres } from './throwaway-postgres.ts';

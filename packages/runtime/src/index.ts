export { type BeatOptions, runBeat } from './beat.ts';
export { busHooks } from './bus-hooks.ts';
export { chainHooks } from './chain-hooks.ts';
export {
  type Config,
  describeSettings,
  invalidConfig,
  parseConfig,
  type SettingDescription,
  type SettingProblem,
  type SettingsSchema,
} from './config.ts';
export { exposeConnections } from './expose-connections.ts';
export { runWithLogFields } from './log-fields.ts';
export { createLogger, type EventName, type LogFields, type Logger, type LoggerOptions } from './logger.ts';
export { createMetrics, type Metrics } from './metrics.ts';
export { createOutage, type Outage, type OutageOptions } from './outage.ts';
export { type ProbeServer, type ProbeServerOptions, startProbeServer } from './probe-server.ts';
export { quietOutages } from './quiet-outages.ts';
export {
  type ComponentReporter,
  type ComponentStatus,
  createReadiness,
  type Readiness,
  type ReadinessStatus,
} from './readiness.ts';
export { type RetryOptions, retryWithJitter } from './retry.ts';
export { type ProcessOptions, type ProcessParts, runProcess } from './run-process.ts';
export {
  aggregatorSettings,
  chainSettings,
  connectionStringOf,
  databaseSettings,
  kafkaSettings,
  logSettings,
  optionalChainSettings,
  p0Settings,
  probeSettings,
  processSettings,
} from './service-settings.ts';
export {
  addressSetting,
  booleanSetting,
  durationMsSetting,
  integerSetting,
  type LogLevel,
  listSetting,
  logLevelSetting,
  oneOfSetting,
  portSetting,
  textSetting,
  urlListSetting,
  urlSetting,
} from './setting.ts';
export { createShutdown, type Shutdown, type ShutdownOptions } from './shutdown.ts';
export {
  createSourceBoard,
  declareNodes,
  type SourceBoard,
  type SourceSight,
} from './source-board.ts';
export { reportSourcesOnBeat } from './source-report.ts';
export { fromSystemError } from './system-error.ts';
export { startTracing, type Tracing, type TracingOptions } from './tracing.ts';
export { waitUntilReady } from './wait-until-ready.ts';
export { watchedFetch } from './watched-fetch.ts';
export { withinMs } from './within.ts';

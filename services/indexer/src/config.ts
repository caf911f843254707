import {
  chainSettings,
  databaseSettings,
  durationMsSetting,
  integerSetting,
  kafkaSettings,
  p0Settings,
  parseConfig,
  probeSettings,
  processSettings,
} from '@lending/runtime';

/** What the indexer itself can be told; the one-process shape takes these over. */
export const indexerSettings = {
  WATCH_COLLECT_MS: durationMsSetting({
    description: 'How long changes of banks are collected before they are read',
    default: 1_000,
  }),
  RECONCILE_MS: durationMsSetting({
    description: 'How often all banks are read, changed or not',
    default: 300_000,
    min: 1_000,
  }),
  RAW_SAMPLE_DAYS: integerSetting({
    description: 'Days of chain time for which raw rate samples are kept',
    default: 30,
    min: 1,
    max: 3_650,
  }),
  RATE_HOUR_DAYS: integerSetting({
    description: 'Days of chain time for which hours of rates are kept; days are kept for ever',
    default: 1_095,
    min: 32,
    max: 36_500,
  }),
} as const;

export const indexerProcessSettings = {
  ...processSettings,
  ...chainSettings,
  ...p0Settings,
  ...indexerSettings,
  ...kafkaSettings,
  ...probeSettings,
  ...databaseSettings,
} as const;

export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env) {
  return parseConfig(indexerProcessSettings, env);
}

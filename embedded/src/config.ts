import { apiSettings, readCertificate } from '@lending/api';
import { indexerSettings } from '@lending/indexer';
import { localnetSettings } from '@lending/localnet';
import { pollerSettings } from '@lending/rate-poller';
import {
  invalidConfig,
  listSetting,
  logSettings,
  optionalChainSettings,
  p0Settings,
  parseConfig,
  processSettings,
} from '@lending/runtime';
import { tableSettings } from './tables/config.ts';

/** Settings of the one-process shape: those of the three services, and what stands in for a node, Kafka and Postgres. */
export const embeddedSettings = {
  ...processSettings,
  DATA_DIR: tableSettings.DATA_DIR,
  ...optionalChainSettings,
  ...p0Settings,
  ...localnetSettings,
  ...logSettings,
  ...pollerSettings,
  ...indexerSettings,
  ...apiSettings,
} as const;

/**
 * Reads the settings of the one-process shape.
 * @throws CONFIG__INVALID naming each variable, its value and what is allowed.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env) {
  const config = parseConfig(embeddedSettings, env);
  // Before anything is started for an api that could not be.
  readCertificate(config);
  return config;
}

export type EmbeddedConfig = ReturnType<typeof readConfig>;

/** Where a replay finds tables and topics: those of the services where both are named, else those in the data folder. */
const replaySettings = {
  ...processSettings,
  ...logSettings,
  ...tableSettings,
  KAFKA_BROKERS: listSetting({
    description: 'Kafka bootstrap brokers',
    allowed: 'comma-separated host:port',
    item: /^[^\s:]+:\d{1,5}$/,
    optional: true,
  }),
} as const;

/**
 * Reads the settings of a replay.
 * @throws CONFIG__INVALID naming each variable, its value and what is allowed.
 */
export function readReplayConfig(env: Readonly<Record<string, string | undefined>> = process.env) {
  const config = parseConfig(replaySettings, env);
  const { KAFKA_BROKERS: brokers, DATABASE_URL: databaseUrl } = config;
  if ((brokers === undefined) === (databaseUrl === undefined)) return config;
  const missing = brokers === undefined ? 'KAFKA_BROKERS' : 'DATABASE_URL';
  throw invalidConfig([
    { name: missing, value: undefined, allowed: 'both of KAFKA_BROKERS and DATABASE_URL, or neither' },
  ]);
}

export type ReplayConfig = ReturnType<typeof readReplayConfig>;

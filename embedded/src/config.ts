import { apiSettings } from '@lending/api';
import { indexerSettings } from '@lending/indexer';
import { localnetSettings } from '@lending/localnet';
import { pollerSettings } from '@lending/rate-poller';
import {
  type Config,
  invalidConfig,
  listSetting,
  logSettings,
  optionalChainSettings,
  p0Settings,
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

export type EmbeddedConfig = Config<typeof embeddedSettings>;

/** Where a replay finds tables and topics: those of the services where both are named, else those in the data folder. */
export const replaySettings = {
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

export type ReplayConfig = Config<typeof replaySettings>;

/** @throws CONFIG__INVALID where one of Kafka and the tables of the services is named without the other. */
export function checkReplay({ KAFKA_BROKERS: brokers, DATABASE_URL: databaseUrl }: ReplayConfig): void {
  if ((brokers === undefined) === (databaseUrl === undefined)) return;
  const missing = brokers === undefined ? 'KAFKA_BROKERS' : 'DATABASE_URL';
  throw invalidConfig([
    { name: missing, value: undefined, allowed: 'both of KAFKA_BROKERS and DATABASE_URL, or neither' },
  ]);
}

import { apiSettings } from '@lending/api';
import { indexerSettings } from '@lending/indexer';
import { localnetSettings } from '@lending/localnet';
import { pollerSettings } from '@lending/rate-poller';
import {
  logSettings,
  optionalChainSettings,
  p0Settings,
  parseConfig,
  processSettings,
  textSetting,
} from '@lending/runtime';

/** Settings of the one-process shape: those of the three services, and what stands in for a node, Kafka and Postgres. */
export const embeddedSettings = {
  ...processSettings,
  DATA_DIR: textSetting({
    description: 'Folder for everything that outlives the process',
    default: '.data',
    maxLength: 4_096,
  }),
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
  return parseConfig(embeddedSettings, env);
}

export type EmbeddedConfig = ReturnType<typeof readConfig>;

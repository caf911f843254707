import { join } from 'node:path';
import { parseConfig, textSetting, urlSetting } from '@lending/runtime';

/** In the data folder, while the process runs. */
export const DATABASE_URL_FILE = 'database-url';
export const MIGRATIONS_DIR = join(import.meta.dirname, '..', '..', '..', 'migrations');

/** Where tables are: those of the services where they are named, else those in the data folder. */
export const tableSettings = {
  DATA_DIR: textSetting({
    description: 'Folder for everything that outlives the process',
    default: '.data',
    maxLength: 4_096,
  }),
  DATABASE_URL: urlSetting({
    description: 'Postgres the services share',
    schemes: ['postgres', 'postgresql'],
    secret: true,
    optional: true,
  }),
} as const;

/**
 * Reads the settings of a command beside the service. It is up in half a second: nothing of the services is loaded for it.
 * @throws CONFIG__INVALID naming each variable, its value and what is allowed.
 */
export function readTableConfig(env: Readonly<Record<string, string | undefined>> = process.env) {
  return parseConfig(tableSettings, env);
}

export type TableConfig = ReturnType<typeof readTableConfig>;

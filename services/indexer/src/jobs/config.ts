import { type Config, databaseSettings, kafkaSettings, parseConfig, processSettings } from '@lending/runtime';

export const migrateSettings = { ...processSettings, ...databaseSettings } as const;
export const createTopicsSettings = { ...processSettings, ...kafkaSettings } as const;

/** @throws CONFIG__INVALID naming each variable, its value and what is allowed. */
export function readMigrateConfig(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Config<typeof migrateSettings> {
  return parseConfig(migrateSettings, env);
}

/** @throws CONFIG__INVALID naming each variable, its value and what is allowed. */
export function readCreateTopicsConfig(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Config<typeof createTopicsSettings> {
  return parseConfig(createTopicsSettings, env);
}

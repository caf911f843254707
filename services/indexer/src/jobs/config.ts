import { type Config, databaseSettings, kafkaSettings, parseConfig, processSettings } from '@lending/runtime';

export const migrateSettings = { ...processSettings, ...databaseSettings } as const;
export const createTopicsSettings = { ...processSettings, ...kafkaSettings } as const;
const replaySettings = { ...migrateSettings, ...kafkaSettings } as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** How long a job waits for Kafka or Postgres before it ends with 1; its engine starts it again, or gives up. */
export const JOB_PATIENCE_MS = 60_000;

/** @throws CONFIG__INVALID naming each variable, its value and what is allowed; so do those below. */
export function readMigrateConfig(env: Environment = process.env): Config<typeof migrateSettings> {
  return parseConfig(migrateSettings, env);
}

export function readCreateTopicsConfig(env: Environment = process.env): Config<typeof createTopicsSettings> {
  return parseConfig(createTopicsSettings, env);
}

export function readReplayConfig(env: Environment = process.env): Config<typeof replaySettings> {
  return parseConfig(replaySettings, env);
}

import { databaseSettings, kafkaSettings, processSettings } from '@lending/runtime';

export const migrateSettings = { ...processSettings, ...databaseSettings } as const;
export const createTopicsSettings = { ...processSettings, ...kafkaSettings } as const;
export const replaySettings = { ...migrateSettings, ...kafkaSettings } as const;

/** How long a job waits for Kafka or Postgres before it ends with 1; its engine starts it again, or gives up. */
export const JOB_PATIENCE_MS = 60_000;

import { apiProcessSettings } from '@lending/api';
import { createTopicsSettings, indexerProcessSettings, migrateSettings } from '@lending/indexer';
import { ratePollerSettings } from '@lending/rate-poller';
import { describeSettings, type SettingsSchema } from '@lending/runtime';

/** What each program that an image runs can be told, by the file that it starts with. */
export const SETTINGS_OF: Readonly<Record<string, SettingsSchema>> = {
  'services/api/src/main.ts': apiProcessSettings,
  'services/indexer/src/main.ts': indexerProcessSettings,
  'services/rate-poller/src/main.ts': ratePollerSettings,
  'services/indexer/src/jobs/migrate.ts': migrateSettings,
  'services/indexer/src/jobs/create-topics.ts': createTopicsSettings,
};

export interface WrongSettings {
  /** Given, and read by nobody. */
  readonly unknown: readonly string[];
  /** Not given, and without it the program does not start. */
  readonly missing: readonly string[];
}

/** What is wrong with the variables that a program is given, by name or by file. */
export function findWrongSettings(entry: string, variables: readonly string[]): WrongSettings {
  const schema = SETTINGS_OF[entry];
  if (schema === undefined) throw new Error(`nobody knows the settings of ${entry}`);
  const given = variables.map((name) => name.replace(/_FILE$/, ''));
  const known = new Set(describeSettings(schema).map(({ name }) => name));
  return {
    unknown: given.filter((name) => !known.has(name)),
    missing: Object.entries(schema)
      .filter(([name, setting]) => !given.includes(name) && !setting.safeParse(undefined).success)
      .map(([name]) => name),
  };
}

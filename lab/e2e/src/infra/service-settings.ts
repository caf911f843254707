import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiProcessSettings } from '@lending/api';
import { createTopicsSettings, indexerProcessSettings, migrateSettings } from '@lending/indexer';
import { ratePollerSettings } from '@lending/rate-poller';
import { describeSettings, type SettingsSchema } from '@lending/runtime';
import { ROOT } from '@lending/testing';

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

/** What an api that was told to stop may take once it has served on for `API_DRAIN_MS`, by the constants of its own sources, and what they add up to. */
const PARTS = [
  ['services/api/src/visitors/end-connections.ts', 'FINISH_MS'],
  ['services/api/src/start-api.ts', 'TIDY_MS'],
] as const;
/** Every other process, and all of an api that comes after its doors: `deadlineMs` of packages/runtime/src/shutdown.ts. */
const REST = ['packages/runtime/src/shutdown.ts', 'deadlineMs'] as const;

/** Milliseconds from the end of `API_DRAIN_MS` to the end of the process, at most. */
export function readStopMs(): number {
  return [...PARTS, REST].reduce((sum, [path, name]) => sum + readConstant(path, name), 0);
}

function readConstant(path: string, name: string): number {
  const [, digits] = new RegExp(`\\b${name} = ([\\d_]+)`).exec(readFileSync(join(ROOT, path), 'utf8')) ?? [];
  if (digits === undefined) throw new Error(`${path} has no ${name} any more`);
  return Number(digits.replaceAll('_', ''));
}

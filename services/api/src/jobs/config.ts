import { type Config, databaseSettings, parseConfig } from '@lending/runtime';

/** @throws CONFIG__INVALID naming each variable, its value and what is allowed. */
export function readTokenConfig(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Config<typeof databaseSettings> {
  return parseConfig(databaseSettings, env);
}

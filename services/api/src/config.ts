import {
  type Config,
  durationMsSetting,
  integerSetting,
  listSetting,
  parseConfig,
  portSetting,
  processSettings,
  textSetting,
  urlSetting,
} from '@lending/runtime';

/** Settings of the api that hold in both shapes. */
export const API_SETTINGS = {
  API_HOST: textSetting({ description: 'Address the api listens on', default: '127.0.0.1', maxLength: 255 }),
  API_PORT: portSetting({ description: 'Port the api listens on', default: 8080 }),
  API_ALLOWED_HOSTS: listSetting({
    description: 'Host names under which /mcp is reached, besides localhost; others are refused as rebinding attacks',
    optional: true,
    allowed: 'comma-separated host names without ports, IPv6 in brackets',
    item: /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]+)$/,
  }),
  API_MAX_BODY_BYTES: integerSetting({
    description: 'Largest request body',
    default: 262_144,
    min: 1_024,
    max: 4_194_304,
  }),
  RATES_STALE_AFTER_MS: durationMsSetting({
    description: 'Age at which rates are called stale and /readyz answers 503',
    default: 120_000,
    min: 1_000,
  }),
} as const;
export type ApiConfig = Config<typeof API_SETTINGS>;

/** What the api needs on top when it is a process of its own. */
export const API_PROCESS_SETTINGS = {
  ...processSettings,
  ...API_SETTINGS,
  DATABASE_URL: urlSetting({
    description: 'Postgres the services share',
    schemes: ['postgres', 'postgresql'],
    secret: true,
  }),
} as const;
export type ApiProcessConfig = Config<typeof API_PROCESS_SETTINGS>;

/**
 * Reads the settings of the api as a process of its own.
 * @throws CONFIG__INVALID naming each variable, its value and what is allowed.
 */
export function readApiConfig(env: Readonly<Record<string, string | undefined>> = process.env): ApiProcessConfig {
  return parseConfig(API_PROCESS_SETTINGS, env);
}

import {
  type Config,
  databaseSettings,
  durationMsSetting,
  integerSetting,
  listSetting,
  p0Settings,
  parseConfig,
  portSetting,
  processSettings,
  textSetting,
} from '@lending/runtime';

/** Settings of the api that hold in both shapes. */
export const apiSettings = {
  P0_PROGRAM: p0Settings.P0_PROGRAM,
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
  ACCOUNTS_STALE_AFTER_MS: durationMsSetting({
    description:
      'Age of the chain tip at which accounts and activity are called stale and /readyz answers 503, and of the reading of a wallet at which it is called stale',
    default: 30_000,
    min: 1_000,
  }),
  FOLLOW_ADDRESSES: integerSetting({
    description: 'Addresses that are followed at most, because somebody asked for them; more are refused',
    default: 10_000,
    min: 1,
    max: 50_000,
  }),
  FOLLOW_WAIT_MS: durationMsSetting({
    description: 'How long an answer waits for an address that nobody followed yet',
    default: 2_000,
    min: 0,
    max: 20_000,
  }),
} as const;
export type ApiConfig = Config<typeof apiSettings>;

/** What the api needs on top when it is a process of its own. */
export const apiProcessSettings = {
  ...processSettings,
  ...apiSettings,
  ...databaseSettings,
} as const;
export type ApiProcessConfig = Config<typeof apiProcessSettings>;

/**
 * Reads the settings of the api as a process of its own.
 * @throws CONFIG__INVALID naming each variable, its value and what is allowed.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): ApiProcessConfig {
  return parseConfig(apiProcessSettings, env);
}

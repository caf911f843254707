import { type Config, describeSettings, type SettingsSchema } from './config.ts';
import {
  addressSetting,
  durationMsSetting,
  listSetting,
  logLevelSetting,
  oneOfSetting,
  portSetting,
  textSetting,
  urlListSetting,
  urlSetting,
} from './setting.ts';
import { readTracingHeaders, tracingSettings } from './tracing-settings.ts';

/** Settings that more than one service reads, so that one name has one meaning and one default. */

export const processSettings = {
  LOG_LEVEL: logLevelSetting({ description: 'How much is logged', default: 'info' }),
  LOG_FORMAT: oneOfSetting(['auto', 'json', 'pretty'], {
    description: 'Log lines for machines or for people; auto: for people on a terminal',
    default: 'auto',
  }),
  INSTANCE_NAME: textSetting({
    description: 'What /v1/status calls this process, beside its service; unset: eight letters, others at every start',
    maxLength: 100,
    pattern: /^[A-Za-z0-9._-]+$/,
    allowed: 'letters, digits, dots, dashes and underscores, up to 100 of them',
    optional: true,
  }),
  ...tracingSettings,
} as const;

/** For services without a door of their own. */
export const probeSettings = {
  PROBE_HOST: textSetting({
    description: 'Address that /healthz, /readyz and /metrics are served on',
    default: '127.0.0.1',
  }),
  PROBE_PORT: portSetting({ description: 'Port that /healthz, /readyz and /metrics are served on', default: 9464 }),
} as const;

export const databaseSettings = {
  DATABASE_URL: urlSetting({
    description: 'Postgres the services share',
    schemes: ['postgres', 'postgresql'],
    secret: true,
  }),
  PGPASSWORD: textSetting({
    description:
      'Password for DATABASE_URL where that holds none; as it is, with no character encoded and no blank at its ends',
    secret: true,
    optional: true,
  }),
} as const;

/** @returns the address of the database with its password: that of `DATABASE_URL`, else `PGPASSWORD`. */
export function connectionStringOf({ DATABASE_URL, PGPASSWORD }: Config<typeof databaseSettings>): string {
  const url = new URL(DATABASE_URL);
  if (PGPASSWORD === undefined || url.password !== '') return DATABASE_URL;
  // A parameter, and not before the host: an address of a socket has no host.
  url.searchParams.set('password', PGPASSWORD);
  return url.href;
}

/** Keys of providers are longer than what else stands in a path. */
const MIN_KEY_LENGTH = 16;

/** What is a key in an address: it shows in one with another scheme, or by itself. */
function keysIn(address: string): readonly string[] {
  if (!address.includes('://') || !URL.canParse(address)) return [];
  const { username, password, pathname, searchParams } = new URL(address);
  const path = pathname.split('/').filter((part) => part.length >= MIN_KEY_LENGTH);
  return [username, password, ...path, ...searchParams.values()].filter((part) => part !== '');
}

/** The password in the address of a database, unless it is a word of the rest: that is no secret, and would be struck out of every line. */
function passwordIn(url: string): readonly string[] {
  const rest = new URL(url);
  const password = decoded(rest.password) || (rest.searchParams.get('password') ?? '');
  rest.password = '';
  rest.searchParams.delete('password');
  return password === '' || rest.href.includes(password) ? [] : [password];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The values of a configuration that must never be written: those of its secret settings, and what is made of them. */
export function secretsOf(
  settings: SettingsSchema,
  config: Readonly<Record<string, unknown>> & Partial<Config<typeof databaseSettings & typeof tracingSettings>>,
): readonly string[] {
  const { DATABASE_URL: url, PGPASSWORD: password, OTEL_EXPORTER_OTLP_HEADERS: headers } = config;
  const values = describeSettings(settings)
    .filter(({ secret }) => secret)
    .flatMap(({ name }) => (config[name] ?? []) as string | readonly string[]);
  return [
    // A password that is a word of the address is no secret, and would be struck out of every line.
    ...values.filter((value) => value !== password || !url?.includes(value)),
    ...values.filter((value) => value !== url).flatMap(keysIn),
    ...(url === undefined ? [] : [connectionStringOf({ DATABASE_URL: url, PGPASSWORD: password }), ...passwordIn(url)]),
    ...Object.values(readTracingHeaders(headers)),
  ];
}

/** For whoever writes to the log. */
export const logSettings = {
  LOG_RETENTION_MS: durationMsSetting({
    description: 'How long messages stay in the log; history can be projected again from as far back',
    default: 7 * 86_400_000,
    min: 60_000,
    max: 365 * 86_400_000,
  }),
} as const;

export const kafkaSettings = {
  ...logSettings,
  KAFKA_BROKERS: listSetting({
    description: 'Kafka bootstrap brokers',
    allowed: 'comma-separated host:port',
    item: /^[^\s:]+:\d{1,5}$/,
  }),
} as const;

/** A key travels in a header. */
const apiKey = {
  optional: true,
  secret: true,
  maxLength: 512,
  pattern: /^[\x21-\x7e]+$/,
  allowed: 'printable ASCII characters without blanks, up to 512 of them',
} as const;

/** For whoever asks what swaps give. */
export const aggregatorSettings = {
  JUPITER_URL: urlSetting({
    description: "Jupiter, which quotes swaps; unset: https://api.jup.ag, or the local chain's double",
    schemes: ['https', 'http'],
    optional: true,
  }),
  JUPITER_API_KEY: textSetting({
    description:
      'Key for Jupiter where a caller brings none; unset: asked without one, which allows a request every two seconds',
    ...apiKey,
  }),
  DFLOW_URL: urlSetting({
    description: "DFlow, which quotes swaps too; unset: https://quote-api.dflow.net, or the local chain's double",
    schemes: ['https', 'http'],
    optional: true,
  }),
  DFLOW_API_KEY: textSetting({
    description: 'Key for DFlow where a caller brings none; its production host is not asked without one',
    ...apiKey,
  }),
} as const;

/** Project 0's program and main group on mainnet. */
export const p0Settings = {
  P0_PROGRAM: addressSetting({
    description: 'The marginfi v2 program that is followed',
    default: 'MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA',
  }),
  P0_GROUP: addressSetting({
    description: 'The group of banks that is followed',
    default: '4qp6Fx6tnZkY5Wropq9wUYgtFxXKwE6viZxFHg3rdAG8',
  }),
} as const;

const rpcUrls = {
  description: 'RPC endpoints of one cluster, preferred first; may hold an API key, so it is never logged whole',
  schemes: ['http', 'https'],
  secret: true,
} as const;

const chainOptionSettings = {
  SOLANA_WS_URL: urlSetting({
    description: 'PubSub endpoint; unset: the first RPC endpoint with ws:// or wss://',
    schemes: ['ws', 'wss'],
    secret: true,
    optional: true,
  }),
  RPC_TIMEOUT_MS: durationMsSetting({
    description: 'How long one attempt on one RPC endpoint may take',
    default: 5_000,
  }),
} as const;

/** For a service of its own: the node must be named, and whether it is a local chain is said, not guessed. */
export const chainSettings = {
  SOLANA_RPC_URL: urlListSetting(rpcUrls),
  ...chainOptionSettings,
  CHAIN_SOURCE: oneOfSetting(['chain', 'localnet'], {
    description: 'What replies call their source: a real chain, or the local test double',
    default: 'chain',
  }),
} as const;

/** For the one-process shape: without a node it brings its own local chain. */
export const optionalChainSettings = {
  SOLANA_RPC_URL: urlListSetting({ ...rpcUrls, optional: true }),
  ...chainOptionSettings,
} as const;

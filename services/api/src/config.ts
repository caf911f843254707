import {
  aggregatorSettings,
  type Config,
  chainSettings,
  databaseSettings,
  durationMsSetting,
  integerSetting,
  listSetting,
  p0Settings,
  portSetting,
  processSettings,
  textSetting,
  urlSetting,
} from '@lending/runtime';
import { DEFAULT_GRAPHQL_LIMITS } from './graphql/limits/graphql-limits.ts';
import { AUDIT_OVERRULE } from './reads/audit-overrule.ts';
import { DEFAULT_CONNECTION_LIMITS } from './visitors/limit-connections.ts';

/** A limit of one client in a minute. */
function rateSetting({ description, default: perMinute }: { readonly description: string; readonly default: number }) {
  return integerSetting({
    description: `${description}: of one client in any 60 s, by the address it comes from, IPv6 by its /64`,
    default: perMinute,
    min: 1,
    max: 100_000_000,
  });
}

/** Settings of the api that hold in both shapes. */
export const apiSettings = {
  ...p0Settings,
  P0_PROGRAM_SLOTS: listSetting({
    description:
      'Slots in which a version of the program was deployed, where the operator knows more than this release: builders take it for that version without asking',
    optional: true,
    allowed: 'comma-separated slots with a version known here: 449000000=0.1.12',
    item: /^[0-9]{1,15}=0\.1\.(10|11|12)$/,
  }),
  AUDIT_OVERRULE: listSetting({
    description:
      'Banks that are built for although their figures disagree with the program’s own, each until a time; an entry whose time is over says nothing',
    optional: true,
    allowed: 'comma-separated banks with an ISO-8601 time and its zone: <bank>@2027-01-31T12:00:00Z',
    item: AUDIT_OVERRULE,
  }),
  FIRST_CONTACT_FILE: textSetting({
    description:
      'Report that npm run smoke wrote of this chain: while it stands for the program as it runs, builders do not warn; a changed file is taken without a restart',
    allowed: 'path of a JSON file; npm start takes first-contact.json in DATA_DIR unless another is named',
    optional: true,
    maxLength: 4_096,
  }),
  API_HOST: textSetting({ description: 'Address the api listens on', default: '127.0.0.1', maxLength: 255 }),
  API_PORT: portSetting({ description: 'Port the api listens on', default: 8080 }),
  TLS_CERT: textSetting({
    description:
      'Certificate with which the api speaks HTTPS at all of its ports, and nothing else; what is renewed in the file is taken without a restart',
    allowed:
      'path of a PEM file: the certificate, and after it those that signed it; both of TLS_CERT and TLS_KEY, or neither',
    optional: true,
    maxLength: 65_536,
  }),
  TLS_KEY: textSetting({
    description: 'Key of that certificate',
    allowed: 'path of a PEM file that is not locked by a passphrase',
    optional: true,
    maxLength: 65_536,
  }),
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
  API_CONNECTIONS_MAX: integerSetting({
    description: 'Connections that one api has open at once, streams among them; more are closed as they come',
    default: DEFAULT_CONNECTION_LIMITS.most,
    min: 10,
    max: 100_000,
  }),
  API_CONNECTIONS_MAX_PER_CLIENT: integerSetting({
    description:
      'The same of one client, by the address it comes from, IPv6 by its /64; a proxy of TRUSTED_PROXIES is none',
    default: DEFAULT_CONNECTION_LIMITS.mostPerClient,
    min: 1,
    max: 100_000,
  }),
  API_DRAIN_MS: durationMsSetting({
    description:
      'How long an api that is told to stop goes on serving while /readyz answers 503, so that whoever spreads requests over several sends them elsewhere; more than its probes take to notice',
    default: 0,
    min: 0,
    max: 600_000,
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
  STREAMS_MAX: integerSetting({
    description: 'Streams of live events that one api serves at once; more are refused',
    default: 500,
    min: 1,
    max: 20_000,
  }),
  STREAMS_MAX_PER_CLIENT: integerSetting({
    description: 'Streams of live events that one client has at once, by the address it comes from, IPv6 by its /64',
    default: 20,
    min: 1,
    max: 20_000,
  }),
  STREAM_ADDRESSES_MAX: integerSetting({
    description: 'Addresses that one stream of live events names',
    default: 100,
    min: 1,
    max: 250,
  }),
  STREAM_STALL_MS: durationMsSetting({
    description: 'How long a stream of live events waits for a reader that takes nothing before it is closed',
    default: 30_000,
    min: 500,
    max: 600_000,
  }),
  GRAPHQL_MAX_COST: integerSetting({
    description: 'Values that the answer to one query of /graphql may hold, with what finding them takes',
    default: DEFAULT_GRAPHQL_LIMITS.maxCost,
    min: 1_000,
    max: 1_000_000,
  }),
  GRAPHQL_MAX_DEPTH: integerSetting({
    description: 'Selections below each other in one query; the explorer needs 14 for the schema itself',
    default: DEFAULT_GRAPHQL_LIMITS.maxDepth,
    min: 5,
    max: 50,
  }),
  GRAPHQL_MAX_ALIASES: integerSetting({
    description: 'Aliases in one query',
    default: DEFAULT_GRAPHQL_LIMITS.maxAliases,
    min: 0,
    max: 1_000,
  }),
  GRAPHQL_MAX_TOKENS: integerSetting({
    description: 'Words and signs of one query',
    default: DEFAULT_GRAPHQL_LIMITS.maxTokens,
    min: 100,
    max: 20_000,
  }),
  GRAPHQL_TIMEOUT_MS: durationMsSetting({
    description: 'How long one query is worked on; a subscription lasts',
    default: DEFAULT_GRAPHQL_LIMITS.timeoutMs,
    min: 100,
    max: 120_000,
  }),
  P0_LOOKUP_TABLES: listSetting({
    description: 'Lookup tables that transactions are made shorter by; unset: those of the main group',
    optional: true,
    allowed: 'comma-separated Solana addresses',
    item: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
  }),
  SWITCHBOARD_CROSSBAR_URL: urlSetting({
    description:
      "Switchboard's crossbar, which names the gateways that sign fresh prices; unset: https://crossbar.switchboard.xyz, or the local chain's double",
    schemes: ['https', 'http'],
    optional: true,
  }),
  SWITCHBOARD_GATEWAY_HOSTS: listSetting({
    description:
      'Hosts, and all below them, whose gateways are asked for signatures, wherever crossbar sends; unset: switchboard.xyz and switchboard-oracles.xyz, or the local chain’s own',
    allowed: 'comma-separated host names',
    item: /^[A-Za-z0-9.-]+$/,
    optional: true,
  }),
  PRIORITY_FEE_MAX_MICROLAMPORTS: integerSetting({
    description: 'What the levels of priority bid at most, micro-lamports for a compute unit',
    default: 1_000_000,
    min: 0,
    max: 100_000_000,
  }),
  BUNDLE_TIP_LAMPORTS: integerSetting({
    description: 'What a bundle pays the builder of its block, lamports',
    default: 10_000,
    min: 1_000,
    max: 100_000_000,
  }),
  ...aggregatorSettings,
  SWAP_PROGRAMS: listSetting({
    description:
      "Programs that may swap: a route through any other is refused; unset: the aggregators', or the local chain's own",
    optional: true,
    allowed: 'comma-separated Solana addresses',
    item: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
  }),
  SWAP_TIMEOUT_MS: durationMsSetting({
    description: 'How long aggregators may take for quotes, and again for tighter ones',
    default: 4_000,
    min: 100,
    max: 15_000,
  }),
  SWAP_SLIPPAGE_BPS: integerSetting({
    description: 'How far below its quote a swap may end where a caller sets no limit, basis points',
    default: 50,
    min: 0,
    max: 500,
  }),
  SWAP_MAX_PRICE_IMPACT_BPS: integerSetting({
    description: "What a swap's own size may cost at most, basis points of it; callers may be stricter",
    default: 100,
    min: 0,
    max: 10_000,
  }),
  SWAP_MAX_ORACLE_DEVIATION_BPS: integerSetting({
    description: 'How far a quote may lie from what the oracles say, either way, basis points',
    default: 300,
    min: 0,
    max: 10_000,
  }),
  TRUSTED_PROXIES: listSetting({
    description:
      'Proxies in front of the api, whose X-Forwarded-For says who a client is, and whose X-Forwarded-Proto whether it came by TLS; unset: nobody is believed, and the socket says it',
    optional: true,
    allowed: 'comma-separated IP addresses, or ranges such as 10.0.0.0/8',
    item: /^[0-9a-fA-F:.]+(\/\d{1,3})?$/,
  }),
  CONVERSATIONS_PORT: portSetting({
    description:
      'Port at which conversations are served alone, with probes, where their base URL is another; unset: none',
    optional: true,
  }),
  CONVERSATION_IDLE_MS: durationMsSetting({
    description: 'After so long without a call, the next one of a client that names no conversation opens a new one',
    default: 1_800_000,
    min: 1_000,
    max: 86_400_000,
  }),
  CONVERSATION_KEEP_DAYS: integerSetting({
    description: 'Days after its last call that a conversation is kept',
    default: 365,
    min: 1,
    max: 36_500,
  }),
  CONVERSATIONS_MAX: integerSetting({
    description: 'Conversations of one caller that are kept; those that are the longest unused go first',
    default: 1_000,
    min: 1,
    max: 100_000,
  }),
  CONVERSATION_ENTRIES_MAX: integerSetting({
    description: 'Entries of one conversation that are kept, the newest',
    default: 5_000,
    min: 1,
    max: 100_000,
  }),
  RATE_LIMIT_MCP: rateSetting({ description: 'Messages to /mcp', default: 120 }),
  RATE_LIMIT_V1: rateSetting({ description: 'Requests to /v1', default: 60 }),
  RATE_LIMIT_TX: rateSetting({ description: 'Requests to /v1/tx, which count as those to /v1 too', default: 10 }),
  RATE_LIMIT_LEVERAGE: rateSetting({
    description: 'Loops and closes through either door, which count as what they came in by too',
    default: 4,
  }),
  BUILDS_MAX: integerSetting({
    description: 'Builds and simulations that one api does at once; as many more wait, and the next is refused',
    default: 64,
    min: 1,
    max: 1_000,
  }),
  BUILDS_MAX_PER_CLIENT: integerSetting({
    description: 'The same of one client, by the address it comes from, IPv6 by its /64',
    default: 32,
    min: 1,
    max: 1_000,
  }),
  SIMULATION_WORKERS: integerSetting({
    description:
      'Threads for lists of transactions that the node does not simulate; each takes some 55 MB while it is needed, and 7 for every program',
    default: 2,
    min: 1,
    max: 32,
  }),
} as const;
export type ApiConfig = Config<typeof apiSettings>;

/** What the api needs on top when it is a process of its own. */
export const apiProcessSettings = {
  ...processSettings,
  ...apiSettings,
  ...chainSettings,
  ...databaseSettings,
} as const;

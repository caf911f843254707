import type { AddressInfo } from 'node:net';
import { fromSystemError, type Logger, type Metrics, type Readiness } from '@lending/runtime';
import type { Database } from '@lending/store';
import type { FastifyInstance } from 'fastify';
import { type AppDeps, buildApp } from './app.ts';
import { type BuildersOptions, createBuilders } from './builds/create-builders.ts';
import { createTokenStore } from './callers/token-store.ts';
import type { ApiConfig } from './config.ts';
import { buildConversationsApp } from './conversations/build-conversations-app.ts';
import { createConversationStore } from './conversations/conversation-store.ts';
import { tidyConversations } from './conversations/tidy-conversations.ts';
import { createRateLimiter } from './limits/create-rate-limiter.ts';
import { createRateStore } from './limits/rate-store.ts';
import { createLiveHub } from './live/create-live-hub.ts';
import { createBankSet } from './reads/bank-set.ts';
import { type Change, createChangeFeed } from './reads/change-feed.ts';
import { createFollows } from './reads/follows.ts';
import { createMeasureSet } from './reads/measure-set.ts';
import { createProgressSet } from './reads/progress-set.ts';
import type { ReadDeps } from './reads/read-deps.ts';
import { createReadStore } from './reads/read-store.ts';
import { createReserveSet } from './reads/reserve-set.ts';
import { createStrategySet } from './reads/strategy-set.ts';
import { DEFAULT_CONNECTION_LIMITS } from './visitors/limit-connections.ts';

export interface StartApiOptions {
  readonly config: ApiConfig;
  readonly db: Database;
  /** What builders read and simulate on; reads never touch it, and go on while it is away. */
  readonly chain: BuildersOptions['chain'];
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** What the parts of this process say about themselves; /readyz and /v1/status show it. */
  readonly readiness?: Readiness;
  /** Calls back whenever rows changed, with which; without, any may have. Resolves to how to stop that. */
  readonly watchChanges?: (onChange: (change?: Change) => void) => Promise<() => Promise<void>>;
  readonly version: string;
  /** Our clock, ms since 1970, which tells how old an answer is; default: the machine's. */
  readonly now?: () => number;
  /** For suites of the protocol alone. */
  readonly mcpExtension?: AppDeps['mcpExtension'];
}

/** Topics whose rows make up the banks in memory. */
const BANK_TOPICS: ReadonlySet<string> = new Set([
  'bank.updated.v1',
  'bank.rejected.v1',
  'rate.sampled.v1',
  'rate.backfilled.v1',
  'oracle.priced.v1',
  'reserve.updated.v1',
]);
const MEASURE_TOPIC = 'bank.measured.v1';
const SWAP_TOPIC = 'swap.quoted.v1';
const ONE_BASIS_POINT_E18 = 10n ** 14n;

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** An api that listens. */
export interface RunningApi {
  /** `http://host:port`, with the port that was really taken. */
  readonly url: string;
  readonly port: number;
  /** The same of conversations alone; null where they have no port of their own. */
  readonly conversationsUrl: string | null;
  /** Answers what is under way, then stops. Safe to call twice. */
  close(): Promise<void>;
}

/**
 * Starts answering. The database may be away or empty: then `/readyz` says so, and reads answer 503 until it is not.
 * @throws RUNTIME__PORT_UNAVAILABLE when the port is taken or not open to this user.
 * @throws CONFIG__INVALID naming API_HOST when it is no address of this machine.
 */
export async function startApi(options: StartApiOptions): Promise<RunningApi> {
  const { config, logger, now = Date.now } = options;
  const store = createReadStore(options.db);
  const banks = createBankSet({ store, logger, now });
  const reserves = createReserveSet({ store, banks, logger, now });
  const measures = createMeasureSet({ store, banks, logger, now });
  const maxPriceImpactE18 = BigInt(config.SWAP_MAX_PRICE_IMPACT_BPS) * ONE_BASIS_POINT_E18;
  const strategies = createStrategySet({ store, banks, measures, logger, maxPriceImpactE18, now });
  const progress = createProgressSet({ store, program: config.P0_PROGRAM, logger, now });
  const feed = createChangeFeed();
  const follows = createFollows({
    store,
    feed,
    progress,
    program: config.P0_PROGRAM,
    waitMs: config.FOLLOW_WAIT_MS,
    maxFollowed: config.FOLLOW_ADDRESSES,
  });
  const reads: ReadDeps = {
    store,
    banks,
    reserves,
    measures,
    strategies,
    progress,
    follows,
    components: () => options.readiness?.getStatus().components ?? [],
    now,
    staleAfterMs: config.RATES_STALE_AFTER_MS,
    accountsStaleAfterMs: config.ACCOUNTS_STALE_AFTER_MS,
    maxFollowed: config.FOLLOW_ADDRESSES,
    version: options.version,
  };
  const builders = createBuilders({
    settings: config,
    chain: options.chain,
    reads,
    db: options.db,
    logger,
    metrics: options.metrics,
  });
  const live = createLiveHub({
    reads,
    feed,
    logger,
    metrics: options.metrics,
    limits: {
      most: config.STREAMS_MAX,
      mostPerClient: config.STREAMS_MAX_PER_CLIENT,
      mostAddresses: config.STREAM_ADDRESSES_MAX,
    },
  });
  const limiter = createRateLimiter({
    limits: {
      mcp: config.RATE_LIMIT_MCP,
      v1: config.RATE_LIMIT_V1,
      tx: config.RATE_LIMIT_TX,
      leverage: config.RATE_LIMIT_LEVERAGE,
    },
    store: createRateStore(options.db),
    logger,
    metrics: options.metrics,
  });
  const conversations = createConversationStore(options.db, {
    most: config.CONVERSATIONS_MAX,
    mostEntries: config.CONVERSATION_ENTRIES_MAX,
  });
  const behind = {
    reads,
    limiter,
    trustedProxies: config.TRUSTED_PROXIES ?? [],
    tokens: createTokenStore(options.db),
    conversations: { store: conversations, idleMs: config.CONVERSATION_IDLE_MS },
    logger,
    metrics: options.metrics,
    maxBodyBytes: config.API_MAX_BODY_BYTES,
    connections: {
      ...DEFAULT_CONNECTION_LIMITS,
      most: config.API_CONNECTIONS_MAX,
      mostPerClient: config.API_CONNECTIONS_MAX_PER_CLIENT,
    },
  };
  const app = await buildApp({
    ...behind,
    builders,
    live,
    streamStallMs: config.STREAM_STALL_MS,
    graphqlLimits: {
      maxCost: config.GRAPHQL_MAX_COST,
      maxDepth: config.GRAPHQL_MAX_DEPTH,
      maxAliases: config.GRAPHQL_MAX_ALIASES,
      maxTokens: config.GRAPHQL_MAX_TOKENS,
      timeoutMs: config.GRAPHQL_TIMEOUT_MS,
    },
    allowedHosts: [...LOOPBACK_HOSTS, ...(config.API_ALLOWED_HOSTS ?? [])],
    ...(options.mcpExtension !== undefined && { mcpExtension: options.mcpExtension }),
  });
  const { CONVERSATIONS_PORT: conversationsPort } = config;
  const conversationsApp = conversationsPort === undefined ? null : await buildConversationsApp(behind);
  const stopping = new AbortController();
  const tidying = tidyConversations(conversations, config.CONVERSATION_KEEP_DAYS, logger, stopping.signal);
  const unwatch = await options.watchChanges?.((change) => {
    feed.tell(change);
    if (change === undefined || BANK_TOPICS.has(change.topic)) banks.markChanged();
    if (change === undefined || change.topic === MEASURE_TOPIC) measures.markChanged();
    if (change === undefined || change.topic === SWAP_TOPIC) strategies.markChanged();
  });
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= (async () => {
      await unwatch?.();
      // First: a server that stops waits for every reply, and these end by themselves alone.
      await live.close();
      await app.close();
      await conversationsApp?.close();
      stopping.abort();
      await tidying;
      await limiter.close();
      await builders.close();
      await reserves.close();
      await strategies.close();
      await measures.close();
      await progress.close();
      await banks.close();
    })();
    return closed;
  };
  try {
    await app.listen({ host: config.API_HOST, port: config.API_PORT });
    if (conversationsPort !== undefined)
      await conversationsApp?.listen({ host: config.API_HOST, port: conversationsPort });
  } catch (error) {
    await close();
    throw fromSystemError(error, { name: 'API_HOST', value: config.API_HOST });
  }
  const { port, url } = addressOf(app, config.API_HOST);
  logger.info('api.server.listen', { host: config.API_HOST, port });
  if (conversationsApp === null) return { url, port, conversationsUrl: null, close };
  const conversationsAt = addressOf(conversationsApp, config.API_HOST);
  logger.info('api.conversations.listen', { host: config.API_HOST, port: conversationsAt.port });
  return { url, port, conversationsUrl: conversationsAt.url, close };
}

function addressOf(app: FastifyInstance, host: string): { readonly url: string; readonly port: number } {
  const { port } = app.server.address() as AddressInfo;
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`, port };
}

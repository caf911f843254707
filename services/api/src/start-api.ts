import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  fromSystemError,
  type Logger,
  type Metrics,
  quietOutages,
  type Readiness,
  type SourceBoard,
} from '@lending/runtime';
import type { Database, SourceRow } from '@lending/store';
import { address as toAddress } from '@solana/kit';
import type { FastifyInstance } from 'fastify';
import { type AppDeps, buildApp } from './app.ts';
import { type BuildersOptions, createBuilders } from './builds/create-builders.ts';
import { watchFirstContact } from './builds/first-contact-watch.ts';
import { createProgramWatch, pinnedSlots } from './builds/program-watch.ts';
import { createTokenStore } from './callers/token-store.ts';
import type { ApiConfig } from './config.ts';
import { buildConversationsApp } from './conversations/build-conversations-app.ts';
import { createConversationStore } from './conversations/conversation-store.ts';
import { tidyConversations } from './conversations/tidy-conversations.ts';
import { createRateLimiter } from './limits/create-rate-limiter.ts';
import { createRateStore } from './limits/rate-store.ts';
import { createLiveHub } from './live/create-live-hub.ts';
import { readOverrules } from './reads/audit-overrule.ts';
import { createAuditSet } from './reads/audit-set.ts';
import { createBankSet } from './reads/bank-set.ts';
import { type Change, createChangeFeed } from './reads/change-feed.ts';
import { createFollows } from './reads/follows.ts';
import { createMeasureSet } from './reads/measure-set.ts';
import { createProgressSet } from './reads/progress-set.ts';
import type { ReadDeps } from './reads/read-deps.ts';
import { createReadStore } from './reads/read-store.ts';
import { createReserveSet } from './reads/reserve-set.ts';
import { createStrategySet } from './reads/strategy-set.ts';
import { renewCertificate } from './tls/create-tls-server.ts';
import { readCertificate } from './tls/read-certificate.ts';
import { watchCertificate } from './tls/watch-certificate.ts';
import { FINISH_MS } from './visitors/end-connections.ts';
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
  /** What this process hears from; /v1/status shows it beside what other processes told the tables. */
  readonly sources?: { readonly role: string; readonly instance: string; readonly board: SourceBoard };
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
const AUDIT_TOPIC = 'bank.audited.v1';
const ONE_BASIS_POINT_E18 = 10n ** 14n;

/** What ends after the last answer. */
const TIDY_MS = 5_000;

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** An api that listens. */
export interface RunningApi {
  /** `http://host:port`, or `https:` where it has a certificate, with the port that was really taken. */
  readonly url: string;
  readonly port: number;
  /** The same of conversations alone; null where they have no port of their own. */
  readonly conversationsUrl: string | null;
  /** What it answers to GET, asked from within: a process need not believe a certificate of its own. */
  ask(path: string): Promise<{ readonly status: number; readonly body: string }>;
  /** Serves on for `API_DRAIN_MS`, answers what is under way, then stops. Safe to call twice. */
  close(): Promise<void>;
  /** How long that takes at most, where all that is asked keeps its own limits. */
  readonly closeMs: number;
}

/**
 * Starts answering. The database may be away or empty: then `/readyz` says so, and reads answer 503 until it is not.
 * @throws RUNTIME__PORT_UNAVAILABLE when the port is taken or not open to this user.
 * @throws CONFIG__INVALID naming API_HOST when it is no address of this machine, or TLS_CERT or TLS_KEY when they cannot be used.
 */
export async function startApi(options: StartApiOptions): Promise<RunningApi> {
  const { config, now = Date.now } = options;
  const logger = quietOutages(options.logger);
  const certificate = readCertificate(config);
  const store = createReadStore(options.db);
  const banks = createBankSet({ store, logger, now });
  const reserves = createReserveSet({ store, banks, logger, now });
  const measures = createMeasureSet({ store, banks, logger, now });
  const maxPriceImpactE18 = BigInt(config.SWAP_MAX_PRICE_IMPACT_BPS) * ONE_BASIS_POINT_E18;
  const strategies = createStrategySet({ store, banks, measures, logger, maxPriceImpactE18, now });
  const progress = createProgressSet({ store, program: config.P0_PROGRAM, logger, now });
  const { source } = options.chain;
  const audits = createAuditSet({ store, source, logger, metrics: options.metrics, now });
  const programWatch = createProgramWatch({
    chain: options.chain,
    program: toAddress(config.P0_PROGRAM),
    group: toAddress(config.P0_GROUP),
    pinned: pinnedSlots(config.P0_PROGRAM_SLOTS),
    listBanks: async () =>
      [...(await banks.get()).entries.values()].map(({ row }) => ({
        address: toAddress(row.address),
        hasUnknownNumber: row.operational_state === 'Unknown' || row.oracle_setup === 'Unknown',
      })),
    logger,
    metrics: options.metrics,
  });
  const firstContact = await watchFirstContact({
    path: config.FIRST_CONTACT_FILE,
    source,
    program: config.P0_PROGRAM,
    programWatch,
    logger,
  });
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
    audits,
    overruledUntil: readOverrules(config.AUDIT_OVERRULE, now),
    follows,
    components: () => options.readiness?.getStatus().components ?? [],
    ownSources: () => ownSources(options.sources),
    now,
    staleAfterMs: config.RATES_STALE_AFTER_MS,
    accountsStaleAfterMs: config.ACCOUNTS_STALE_AFTER_MS,
    maxFollowed: config.FOLLOW_ADDRESSES,
    version: options.version,
    runningProgram: () => programWatch.latest(),
    verifiedOnChain: () => firstContact.latest(),
  };
  const builders = createBuilders({
    settings: config,
    chain: options.chain,
    reads,
    programWatch,
    relaxed: () => firstContact.relaxed(),
    db: options.db,
    logger,
    metrics: options.metrics,
    sources: options.sources?.board,
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
  const stopping = new AbortController();
  const behind = {
    stopping: stopping.signal,
    reads,
    certificate,
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
  const tidying = tidyConversations(conversations, config.CONVERSATION_KEEP_DAYS, logger, stopping.signal);
  const renewing =
    certificate &&
    watchCertificate(
      {
        settings: config,
        current: certificate,
        onRenewed: (renewed) => {
          for (const served of [app, conversationsApp]) if (served !== null) renewCertificate(served.server, renewed);
        },
        logger,
        metrics: options.metrics,
      },
      stopping.signal,
    );
  const unwatch = await options.watchChanges?.((change) => {
    feed.tell(change);
    if (change === undefined || BANK_TOPICS.has(change.topic)) banks.markChanged();
    if (change === undefined || change.topic === MEASURE_TOPIC) measures.markChanged();
    if (change === undefined || change.topic === SWAP_TOPIC) strategies.markChanged();
    if (change === undefined || change.topic === AUDIT_TOPIC) audits.markChanged();
  });
  let isListening = false;
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= (async () => {
      stopping.abort();
      if (isListening) await sleep(config.API_DRAIN_MS);
      // First: a server that stops waits for every reply, and these end by themselves alone.
      await live.close();
      await Promise.all([app.close(), conversationsApp?.close()]);
      await unwatch?.();
      await tidying;
      await renewing;
      await limiter.close();
      await builders.close();
      await firstContact.close();
      await programWatch.close();
      await audits.close();
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
  isListening = true;
  const closeMs = config.API_DRAIN_MS + FINISH_MS + TIDY_MS;
  const ask: RunningApi['ask'] = async (path) => {
    const { statusCode, body } = await app.inject(path);
    return { status: statusCode, body };
  };
  const scheme = certificate === null ? 'http' : 'https';
  const { port, url } = addressOf(app, scheme, config.API_HOST);
  logger.info('api.server.listen', { host: config.API_HOST, port, url });
  if (conversationsApp === null) return { url, port, conversationsUrl: null, ask, close, closeMs };
  const conversationsAt = addressOf(conversationsApp, scheme, config.API_HOST);
  logger.info('api.conversations.listen', { host: config.API_HOST, ...conversationsAt });
  return { url, port, conversationsUrl: conversationsAt.url, ask, close, closeMs };
}

function ownSources(sources: StartApiOptions['sources']): readonly SourceRow[] {
  if (sources === undefined) return [];
  const { role, instance, board } = sources;
  return board.list().map((sight) => ({ ...sight, role, instance }));
}

function addressOf(
  app: FastifyInstance,
  scheme: string,
  host: string,
): { readonly url: string; readonly port: number } {
  const { port } = app.server.address() as AddressInfo;
  return { url: `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`, port };
}

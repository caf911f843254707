import { createLogger, createMetrics, type Logger, type Metrics } from '@lending/runtime';
import type { AccountRow, BankRow, FollowRow } from '@lending/store';
import type { FastifyInstance } from 'fastify';
import type { ReadDeps } from '#reads/read-deps.ts';
import type { ReadStore } from '#reads/read-store.ts';
import type { VerifiedOnChain } from '#records/verified-on-chain.ts';
import { buildApp } from '../app.ts';
import type { TokenStore } from '../callers/token-store.ts';
import type { ConversationStore } from '../conversations/conversation-store.ts';
import type { GraphqlLimits } from '../graphql/limits/graphql-limits.ts';
import { createRateLimiter } from '../limits/create-rate-limiter.ts';
import type { RateLimiter, RateScope } from '../limits/rate-limiter.ts';
import { SharedTable } from '../limits/testing/shared-table.ts';
import { createLiveHub } from '../live/create-live-hub.ts';
import { createAuditSet } from '../reads/audit-set.ts';
import { createBankSet } from '../reads/bank-set.ts';
import { type ChangeFeed, createChangeFeed } from '../reads/change-feed.ts';
import { createFollows } from '../reads/follows.ts';
import { createMeasureSet } from '../reads/measure-set.ts';
import { createProgressSet } from '../reads/progress-set.ts';
import { createReserveSet } from '../reads/reserve-set.ts';
import { createStrategySet } from '../reads/strategy-set.ts';
import { BANKS, MEASURES, TIP } from './account-rows.ts';
import { CHAIN_TIME_MS } from './bank-row.ts';
import { createFakeBuilders, type FakeBuilders } from './fake-builds.ts';

/** Asked for, not answered. */
export function followRow(address: string, aspect: FollowRow['aspect'], changes: Partial<FollowRow> = {}): FollowRow {
  const unanswered = { answered_slot: null, answered_time: null, accounts: null, is_complete: null };
  return { address, aspect, followed_at: new Date(CHAIN_TIME_MS), ...unanswered, ...changes };
}

/** Answers what it is given answers for; any other question throws. */
function answeringOnly<T extends object>(answers: Partial<T>): T {
  const unexpected = (name: string | symbol) => async () => {
    throw new Error(`the test asked ${String(name)} and said no answer`);
  };
  return new Proxy(answers, { get: (known, name) => known[name as keyof T] ?? unexpected(name) }) as T;
}

const nothing = async () => [];
const unknown = async () => null;

/** A store that answers with these banks; a question a test did not expect throws. */
export function fakeStore(rows: readonly BankRow[], changes: Partial<ReadStore> = {}): ReadStore {
  return answeringOnly<ReadStore>({
    listBanks: async () => rows,
    listRejectedBanks: nothing,
    listReserves: nothing,
    readQuarantine: nothing,
    readVenueStatus: nothing,
    readTrailingRates: nothing,
    listGroupChanges: nothing,
    hasTables: async () => true,
    listConsumers: nothing,
    listTopicLags: nothing,
    listSources: nothing,
    listVenueBeats: nothing,
    listBankAudits: nothing,
    listBankMeasures: nothing,
    listSwapQuotes: nothing,
    listDayPrices: nothing,
    readAccountsAt: nothing,
    readAccountsOf: nothing,
    readActivity: nothing,
    readWallet: unknown,
    readChainProgress: unknown,
    isPastWhole: async () => false,
    readIndexTask: unknown,
    listIndexProgress: nothing,
    listUnfinishedProgress: nothing,
    listFollowedAddresses: nothing,
    readFollow: unknown,
    requestFollow: async ({ address, aspect }) => ({ kind: 'new', follow: followRow(address, aspect) }),
    ...changes,
  });
}

const VERIFIED: VerifiedOnChain = {
  kind: 'run',
  at: '2026-11-28T12:00:00Z',
  verdict: 'trusted',
  exceptions: [],
  deploy_slot: 400_000_000,
};

export interface TestAppOptions {
  readonly store: ReadStore;
  readonly now?: () => number;
  readonly components?: ReadDeps['components'];
  readonly ownSources?: ReadDeps['ownSources'];
  readonly overruledUntil?: ReadDeps['overruledUntil'];
  /** Default: a run that trusts it. */
  readonly verifiedOnChain?: ReadDeps['verifiedOnChain'];
  /** How long an address that nobody follows is waited for. Default 30 ms. */
  readonly followWaitMs?: number;
  readonly maxBodyBytes?: number;
  readonly builders?: FakeBuilders;
  /** Default: more than a test asks for. */
  readonly limiter?: RateLimiter;
  readonly trustedProxies?: readonly string[];
  /** Default: nobody has a token. */
  readonly tokens?: TokenStore;
  /** Default: one that is not to be asked. */
  readonly conversations?: ConversationStore;
  readonly graphqlLimits?: GraphqlLimits;
  /** Default: silent. */
  readonly logger?: Logger;
  readonly stopping?: AbortSignal;
}

type ReadOptions = Pick<
  TestAppOptions,
  'store' | 'components' | 'ownSources' | 'overruledUntil' | 'verifiedOnChain' | 'followWaitMs'
>;

/** What answers are made from, as an instance has it in memory over a store, and what tells it of changes. */
export function createTestReads(
  options: ReadOptions,
  around: { readonly logger: Logger; readonly metrics: Metrics; readonly now: () => number },
): { readonly reads: ReadDeps; readonly feed: ChangeFeed } {
  const { store, components = () => [], ownSources = () => [], overruledUntil = () => null } = options;
  const { verifiedOnChain = () => VERIFIED, followWaitMs = 30 } = options;
  const { logger, metrics, now } = around;
  const banks = createBankSet({ store, logger, now });
  const reserves = createReserveSet({ store, banks, logger, now });
  const measures = createMeasureSet({ store, banks, logger, now });
  const maxPriceImpactE18 = 10n ** 16n;
  const strategies = createStrategySet({ store, banks, measures, logger, maxPriceImpactE18, now });
  const progress = createProgressSet({ store, program: 'the program', logger, now });
  const audits = createAuditSet({ store, source: 'chain', logger, metrics, now });
  const feed = createChangeFeed();
  const follows = createFollows({
    store,
    feed,
    progress,
    program: 'the program',
    waitMs: followWaitMs,
    maxFollowed: 100,
  });
  const reads: ReadDeps = {
    store,
    banks,
    reserves,
    measures,
    strategies,
    progress,
    audits,
    overruledUntil,
    follows,
    components,
    ownSources,
    now,
    staleAfterMs: 120_000,
    accountsStaleAfterMs: 30_000,
    maxFollowed: 100,
    version: '0.1.0',
    runningProgram: () => null,
    verifiedOnChain,
  };
  return { reads, feed };
}

/** Counts in a table of its own. Limits that a test leaves out it does not meet. */
export function createTestLimiter(limits: Partial<Readonly<Record<RateScope, number>>> = {}): RateLimiter {
  const plenty = { mcp: 1_000_000, v1: 1_000_000, tx: 1_000_000, leverage: 1_000_000 };
  const logger = createLogger({ level: 'silent', name: 'test' });
  const store = new SharedTable(() => Math.floor(performance.now()));
  return createRateLimiter({ limits: { ...plenty, ...limits }, store, logger, metrics: createMetrics() });
}

/** The whole app on a store of the test's, 5 s after the chain's time. Nothing listens. */
export async function createTestApp(options: TestAppOptions): Promise<FastifyInstance> {
  const { now = () => CHAIN_TIME_MS + 5_000 } = options;
  const { logger = createLogger({ level: 'silent', name: 'test' }) } = options;
  const metrics = createMetrics();
  const { reads, feed } = createTestReads(options, { logger, metrics, now });
  const limits = { most: 100, mostPerClient: 100, mostAddresses: 100 };
  return buildApp({
    reads,
    builders: createFakeBuilders(reads, logger, options.builders),
    limiter: options.limiter ?? createTestLimiter(),
    trustedProxies: options.trustedProxies ?? [],
    tokens: options.tokens ?? { useAccessToken: async () => null },
    conversations: { store: options.conversations ?? answeringOnly<ConversationStore>({}), idleMs: 1_800_000 },
    live: createLiveHub({ reads, feed, logger, metrics, limits }),
    streamStallMs: 30_000,
    logger,
    metrics,
    allowedHosts: ['localhost', '127.0.0.1', '[::1]'],
    maxBodyBytes: options.maxBodyBytes ?? 10_000,
    ...(options.stopping !== undefined && { stopping: options.stopping }),
    ...(options.graphqlLimits !== undefined && { graphqlLimits: options.graphqlLimits }),
  });
}

export interface AccountsWorld extends Partial<Omit<TestAppOptions, 'store'>> {
  readonly accounts?: readonly AccountRow[];
  readonly store?: Partial<ReadStore>;
}

/** What the indexer says to whoever asks: read, and whole. */
export function answeredFollow(address: string, aspect: FollowRow['aspect'], accounts: readonly string[]): FollowRow {
  return followRow(address, aspect, {
    answered_slot: 400_000_900n,
    answered_time: TIP.tip_time,
    accounts,
    is_complete: true,
  });
}

/** The app over two banks and these accounts, every address followed and answered. */
export function createAccountsApp({
  accounts = [],
  store = {},
  ...options
}: AccountsWorld = {}): Promise<FastifyInstance> {
  const of = (address: string) => accounts.filter((row) => row.address === address || row.authority === address);
  return createTestApp({
    ...options,
    store: fakeStore(BANKS, {
      listBankMeasures: async () => MEASURES,
      readChainProgress: async () => TIP,
      readAccountsOf: async (address) => of(address),
      requestFollow: async ({ address, aspect }) => ({
        kind: 'known',
        follow: answeredFollow(
          address,
          aspect,
          of(address).map((row) => row.address),
        ),
      }),
      ...store,
    }),
  });
}

export async function getJson(app: FastifyInstance, url: string) {
  const response = await app.inject(url);
  return { status: response.statusCode, headers: response.headers, text: response.payload, body: response.json() };
}

import { createLogger, createMetrics, type Logger } from '@lending/runtime';
import type { BankRow, FollowRow } from '@lending/store';
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
import { createChangeFeed } from '../reads/change-feed.ts';
import { createFollows } from '../reads/follows.ts';
import { createMeasureSet } from '../reads/measure-set.ts';
import { createProgressSet } from '../reads/progress-set.ts';
import { createReserveSet } from '../reads/reserve-set.ts';
import { createStrategySet } from '../reads/strategy-set.ts';
import { CHAIN_TIME_MS } from './bank-row.ts';
import { createFakeBuilders, type FakeBuilders } from './fake-builds.ts';

/** Asked for, not answered. */
export function followRow(address: string, aspect: FollowRow['aspect'], changes: Partial<FollowRow> = {}): FollowRow {
  const unanswered = { answered_slot: null, answered_time: null, accounts: null, is_complete: null };
  return { address, aspect, followed_at: new Date(CHAIN_TIME_MS), ...unanswered, ...changes };
}

/** A store that answers with these banks; a question a test did not expect throws. */
export function fakeStore(rows: readonly BankRow[], changes: Partial<ReadStore> = {}): ReadStore {
  const unexpected = (name: string) => async () => {
    throw new Error(`the test asked ${name} and said no answer`);
  };
  return {
    listBanks: async () => rows,
    listRejectedBanks: async () => [],
    listReserves: async () => [],
    listLimitChanges: unexpected('listLimitChanges'),
    readQuarantine: async () => [],
    readVenueStatus: async () => [],
    readTrailingRates: async () => [],
    readRateHistory: unexpected('readRateHistory'),
    readHistorySpans: unexpected('readHistorySpans'),
    listAccounts: unexpected('listAccounts'),
    listBalances: unexpected('listBalances'),
    listLargestBalances: unexpected('listLargestBalances'),
    listActivity: unexpected('listActivity'),
    listNewestActivity: unexpected('listNewestActivity'),
    listGroupChanges: async () => [],
    listLimitChangesOf: unexpected('listLimitChangesOf'),
    hasTables: async () => true,
    readServiceStatus: unexpected('readServiceStatus'),
    listConsumers: async () => [],
    listTopicLags: async () => [],
    listSources: async () => [],
    listVenueBeats: async () => [],
    listBankAudits: async () => [],
    listBankMeasures: async () => [],
    listSwapQuotes: async () => [],
    listDayPrices: async () => [],
    readAccountsAt: async () => [],
    readAccountsOf: async () => [],
    readOrdersOf: unexpected('readOrdersOf'),
    readRebalanceOrdersOf: unexpected('readRebalanceOrdersOf'),
    readActivity: async () => [],
    readActivityPrices: unexpected('readActivityPrices'),
    readWallet: async () => null,
    readChainProgress: async () => null,
    isPastWhole: async () => false,
    readIndexTask: async () => null,
    listIndexProgress: async () => [],
    listUnfinishedProgress: async () => [],
    listFollowedAddresses: async () => [],
    readFollow: async () => null,
    requestFollow: async ({ address, aspect }) => ({ kind: 'new', follow: followRow(address, aspect) }),
    ...changes,
  };
}

function noConversations(): ConversationStore {
  const unexpected = async () => {
    throw new Error('the test asked for conversations and has none');
  };
  return {
    create: unexpected,
    read: unexpected,
    rename: unexpected,
    delete: unexpected,
    list: unexpected,
    listEntries: unexpected,
    addNamed: unexpected,
    addUnnamed: unexpected,
    deleteOld: unexpected,
  };
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

/** Counts in a table of its own. Limits that a test leaves out it does not meet. */
export function createTestLimiter(limits: Partial<Readonly<Record<RateScope, number>>> = {}): RateLimiter {
  const plenty = { mcp: 1_000_000, v1: 1_000_000, tx: 1_000_000, leverage: 1_000_000 };
  const logger = createLogger({ level: 'silent', name: 'test' });
  const store = new SharedTable(() => Math.floor(performance.now()));
  return createRateLimiter({ limits: { ...plenty, ...limits }, store, logger, metrics: createMetrics() });
}

/** The whole app on a store of the test's, 5 s after the chain's time. Nothing listens. */
export async function createTestApp(options: TestAppOptions): Promise<FastifyInstance> {
  const { store, now = () => CHAIN_TIME_MS + 5_000, components = () => [] } = options;
  const { logger = createLogger({ level: 'silent', name: 'test' }) } = options;
  const banks = createBankSet({ store, logger, now });
  const reserves = createReserveSet({ store, banks, logger, now });
  const measures = createMeasureSet({ store, banks, logger, now });
  const maxPriceImpactE18 = 10n ** 16n;
  const strategies = createStrategySet({ store, banks, measures, logger, maxPriceImpactE18, now });
  const progress = createProgressSet({ store, program: 'the program', logger, now });
  const metrics = createMetrics();
  const audits = createAuditSet({ store, source: 'chain', logger, metrics, now });
  const feed = createChangeFeed();
  const follows = createFollows({
    store,
    feed,
    progress,
    program: 'the program',
    waitMs: options.followWaitMs ?? 30,
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
    overruledUntil: options.overruledUntil ?? (() => null),
    follows,
    components,
    ownSources: options.ownSources ?? (() => []),
    now,
    staleAfterMs: 120_000,
    accountsStaleAfterMs: 30_000,
    maxFollowed: 100,
    version: '0.1.0',
    runningProgram: () => null,
    verifiedOnChain: options.verifiedOnChain ?? (() => VERIFIED),
  };
  const limits = { most: 100, mostPerClient: 100, mostAddresses: 100 };
  return buildApp({
    reads,
    builders: createFakeBuilders(reads, logger, options.builders),
    limiter: options.limiter ?? createTestLimiter(),
    trustedProxies: options.trustedProxies ?? [],
    tokens: options.tokens ?? { useAccessToken: async () => null },
    conversations: { store: options.conversations ?? noConversations(), idleMs: 1_800_000 },
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

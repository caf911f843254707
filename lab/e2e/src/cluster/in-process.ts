import { apiSettings, type StartApiOptions, startApi } from '@lending/api';
import { type Bus, createBus } from '@lending/bus';
import type { Chain } from '@lending/chain';
import { VENUES } from '@lending/domain';
import { claimNodesChain, type IndexerOptions, runIndexer } from '@lending/indexer';
import { MARGINFI_MAIN_GROUP, MARGINFI_PROGRAM } from '@lending/programs';
import { type Leadership, type RatePollerOptions, runRatePoller } from '@lending/rate-poller';
import { createLogger, createMetrics, createReadiness, type Metrics, parseConfig } from '@lending/runtime';
import { createLeaderLock, createStore, listenFollowed, listenProjected } from '@lending/store';
import type { TestDatabase } from '@lending/store/testing';
import { RAISED_RATE_LIMITS } from '@lending/testing';
import { VENUE_ADAPTERS } from '@lending/venues';
import type { Tables } from '../tables/query.ts';

/** Something that runs until it is stopped. */
export interface Running {
  stop(): Promise<void>;
}

const logger = createLogger({ level: 'silent', name: 'e2e' });

/** Of everything there is; it repeats of itself nothing while a scenario lasts. */
const INDEXING = {
  program: MARGINFI_PROGRAM,
  group: MARGINFI_MAIN_GROUP,
  scope: 'all',
  pastDays: null,
  readsPerSecond: 1_000,
  accountReconcileMs: 3_600_000,
  followIdleMs: 3_600_000,
  reconcileMs: 600_000,
  rawSampleDays: 30,
  rateHourDays: 1_095,
  walletRefreshMs: 1_000,
  collectMs: 100,
} as const;

/** An indexer in this process, that nothing happens to; by default on the embedded log of its database. */
export async function startIndexerHere(
  { connectionString, store }: TestDatabase,
  chain: Chain,
  options: Partial<IndexerOptions> = {},
): Promise<Running> {
  const stopping = new AbortController();
  const bus = options.bus ?? (await createBus({ kind: 'embedded', connectionString }));
  const parts = { chain, store, logger, metrics: createMetrics(), readiness: createReadiness() };
  await claimNodesChain(parts, stopping.signal);
  const running = runIndexer(
    {
      ...INDEXING,
      ...parts,
      bus,
      source: chain.createPubSubSource(),
      listenFollowed: (onChange) => {
        const listener = listenFollowed({ connectionString, onFollowed: onChange, onListening: onChange, log: logger });
        return () => listener.stop();
      },
      ...options,
    },
    stopping.signal,
  );
  return {
    async stop() {
      stopping.abort();
      await running;
      if (options.bus === undefined) await bus.close();
    },
  };
}

export interface PollerHere extends Running {
  readonly lock: ReturnType<typeof createLeaderLock>;
  readonly metrics: Metrics;
}

export interface PollerOptions extends Partial<RatePollerOptions> {
  readonly chain: Chain;
  readonly bus: Bus;
  /** Of every venue. */
  readonly everyMs: number;
  /** Stands between the poller and its lock. */
  readonly leadBy?: (lock: Leadership) => Leadership;
}

/** A poller of all venues in this process, with a lock and counters of its own. */
export function startPollerHere({ connectionString }: TestDatabase, options: PollerOptions): PollerHere {
  const { everyMs, leadBy = (lock) => lock, ...parts } = options;
  const stopping = new AbortController();
  const lock = createLeaderLock({ connectionString, name: 'rate-poller' });
  const metrics = createMetrics();
  const running = runRatePoller(
    {
      program: MARGINFI_PROGRAM,
      group: MARGINFI_MAIN_GROUP,
      adapters: VENUE_ADAPTERS,
      beatMs: Object.fromEntries(VENUES.map((venue) => [venue, everyMs])),
      discoveryMs: 600_000,
      outboxCapacity: 200_000,
      leadership: leadBy(lock),
      logger,
      metrics,
      readiness: createReadiness(),
      ...parts,
    },
    stopping.signal,
  );
  return {
    lock,
    metrics,
    async stop() {
      stopping.abort();
      await running;
      await lock.stop();
    },
  };
}

export interface ApiHere extends Running {
  readonly url: string;
  readonly metrics: Metrics;
}

export interface ApiOptions extends Partial<StartApiOptions> {
  readonly chain: Chain;
  readonly settings?: Readonly<Record<string, string>>;
  /** At the limits of the specification, which no setting changes; default: at none that is reached. */
  readonly isLimited?: boolean;
}

/** An api in this process, with connections and counters of its own. */
export async function startApiHere({ connectionString }: Tables, options: ApiOptions): Promise<ApiHere> {
  const { settings, isLimited = false, metrics = createMetrics(), ...parts } = options;
  const store = createStore({ connectionString });
  const watchChanges: StartApiOptions['watchChanges'] = async (onChange) => {
    const listener = listenProjected({ connectionString, onProjected: onChange, onListening: onChange });
    return () => listener.stop();
  };
  const api = await startApi({
    config: parseConfig(apiSettings, { API_PORT: '0', ...(isLimited ? {} : RAISED_RATE_LIMITS), ...settings }),
    db: store.db,
    logger,
    metrics,
    // Who counts requests has nothing to read besides.
    ...(!isLimited && { watchChanges }),
    version: '0.0.0',
    ...parts,
  });
  return {
    url: api.url,
    metrics,
    async stop() {
      await api.close();
      await store.close();
    },
  };
}

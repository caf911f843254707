import { apiSettings, type RunningApi, startApi } from '@lending/api';
import { type Bus, createBus } from '@lending/bus';
import { type Chain, createChain } from '@lending/chain';
import { runIndexer } from '@lending/indexer';
import { type OpenedLocalnet, openLocalnet, SWAP_PROGRAM } from '@lending/localnet';
import { NEWEST_VERSION, type ProgramVersion } from '@lending/programs';
import {
  createLogger,
  createMetrics,
  createReadiness,
  type Metrics,
  parseConfig,
  type Readiness,
} from '@lending/runtime';
import { listenFollowed, listenProjected } from '@lending/store';
import type { TestDatabase } from '@lending/testing';
import { RAISED_RATE_LIMITS } from '@lending/testing';
import { INDEXER_SETTINGS } from '../indexer-settings.ts';
import { createGivenTime, type GivenTime, pass } from './given-time.ts';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Everything between the bytes and the answers but the poller: a chain whose time is given, the log, the indexer, the api. */
export interface HistoryWorld {
  readonly time: GivenTime;
  readonly database: TestDatabase;
  readonly localnet: OpenedLocalnet;
  readonly chain: Chain;
  readonly bus: Bus;
  /** Where a poller of this process says how it is, for the api to show. */
  readonly readiness: Readiness;
  readonly api: RunningApi;
  /**
   * Starts an api in place of this one, at another address: it has read all tables as they are before it answers.
   * @param settings besides those of this one's kind.
   */
  restartApi(settings?: Readonly<Record<string, string>>): Promise<void>;
  /** Starts an indexer in place of this one, which knows what the tables and the log say, and nothing else. */
  restartIndexer(): Promise<void>;
  /** Lets time pass, and the chain see it. */
  advance(ms: number): void;
  stop(): Promise<void>;
}

export interface HistoryWorldOptions {
  readonly database: TestDatabase;
  /** ms since 1970; not later than now, because samples of the future are not rolled up. */
  readonly startMs: number;
  /** How much people act on the market; default: so that every venue's rates move. */
  readonly transactionsPerSecond?: number;
  /** Of the lending program, at the beginning. */
  readonly programVersion?: ProgramVersion;
  /** What the api counts. */
  readonly metrics?: Metrics;
}

const TRANSACTIONS_PER_SECOND = 5;
/** Slots are few here, their pace is not measured: rates by the slot would follow from it. */
const SLOT_MICROS = 400_000n;

const silent = createLogger({ level: 'silent', name: 'e2e' });

export async function openHistoryWorld({
  database,
  startMs,
  transactionsPerSecond = TRANSACTIONS_PER_SECOND,
  programVersion = NEWEST_VERSION,
  metrics = createMetrics(),
}: HistoryWorldOptions): Promise<HistoryWorld> {
  const time = createGivenTime(startMs);
  const localnet = await openLocalnet({
    genesis: { kind: 'demo' },
    slotMs: null,
    nowMs: () => time.chainMs,
    transactionsPerSecond,
    programVersion,
  });
  await localnet.start();
  const services = await openServices({ localnet, database, time, metrics });
  const advance = (ms: number): void => {
    pass(time, ms);
    // The open slot takes the time, the one after it makes it a block that is confirmed.
    localnet.ledger.advanceSlot();
    localnet.ledger.advanceSlot();
  };
  advance(0);
  return {
    ...services,
    get api() {
      return services.api;
    },
    advance,
    async stop() {
      await services.stop();
      await localnet.stop();
    },
  };
}

export interface ServicesOptions {
  readonly localnet: OpenedLocalnet;
  readonly database: TestDatabase;
  readonly time: GivenTime;
  readonly metrics?: Metrics;
}

/** The log, an indexer and an api on a chain that is there already. `stop` leaves the chain alone. */
export async function openServices({
  localnet,
  database,
  time,
  metrics = createMetrics(),
}: ServicesOptions): Promise<Omit<HistoryWorld, 'advance'>> {
  const { connectionString, store } = database;
  const chain = openChain(localnet);
  const bus = await createBus({ kind: 'embedded', connectionString });
  const readiness = createReadiness();
  let indexer = startIndexer({ chain, bus, database });
  const openApi = (settings: Readonly<Record<string, string>> = {}) =>
    startApi({
      config: parseConfig(apiSettings, {
        API_PORT: '0',
        ...RAISED_RATE_LIMITS,
        ...aggregatorsOf(localnet),
        ...settings,
      }),
      db: store.db,
      chain,
      logger: silent,
      metrics,
      readiness,
      now: () => time.oursMs,
      watchChanges: async (onChange) => {
        const listener = listenProjected({ connectionString, onProjected: onChange, onListening: onChange });
        return () => listener.stop();
      },
      version: '0.0.0',
    });
  let api = await openApi();
  return {
    time,
    database,
    localnet,
    chain,
    bus,
    readiness,
    get api() {
      return api;
    },
    async restartApi(settings) {
      await api.close();
      api = await openApi(settings);
    },
    async restartIndexer() {
      await indexer.stop();
      indexer = startIndexer({ chain, bus, database });
    },
    async stop() {
      await api.close();
      await indexer.stop();
      await bus.close();
    },
  };
}

/** Runs the indexer, which looks every moment whether an hour is over. */
export function startIndexer({
  chain,
  bus,
  database: { connectionString, store },
}: {
  readonly chain: Chain;
  readonly bus: Bus;
  readonly database: TestDatabase;
}) {
  const stopping = new AbortController();
  const running = runIndexer(
    {
      ...INDEXER_SETTINGS,
      chain,
      source: chain.createPubSubSource(),
      bus,
      store,
      walletRefreshMs: 1_000,
      listenFollowed: (onChange) => {
        const listener = listenFollowed({ connectionString, onFollowed: onChange, onListening: onChange });
        return () => listener.stop();
      },
      collectMs: 10,
      rollUpMs: 50,
      logger: silent,
      metrics: createMetrics(),
      readiness: createReadiness(),
    },
    stopping.signal,
  );
  return {
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}

/** Any key will do for the doubles. */
function aggregatorsOf({ aggregatorUrls }: OpenedLocalnet): Readonly<Record<string, string>> {
  if (aggregatorUrls === null) return {};
  const { jupiter: JUPITER_URL, dflow: DFLOW_URL } = aggregatorUrls;
  return { JUPITER_URL, DFLOW_URL, DFLOW_API_KEY: 'key-of-the-service', SWAP_PROGRAMS: SWAP_PROGRAM };
}

function openChain({ rpcUrl, wsUrl }: OpenedLocalnet): Chain {
  const chain = createChain({
    rpcUrls: [rpcUrl],
    wsUrl,
    source: 'localnet',
    requestTimeoutMs: 30_000,
    // A node that is made unreachable is given up at once, and asked again at once.
    maxRounds: 1,
    minBackoffMs: 1,
    breakerPauseMs: 1,
    maxReconnectMs: 200,
    // No slot passes while nobody lets it.
    slotTimeoutMs: 600_000,
  });
  return { ...chain, fetchSlotTime: async () => SLOT_MICROS };
}

import { type Bus, createBus } from '@lending/bus';
import { type Chain, createChain } from '@lending/chain';
import { type OpenedLocalnet, openLocalnet, SWAP_PROGRAM } from '@lending/localnet';
import { NEWEST_VERSION, type ProgramVersion } from '@lending/programs';
import { createReadiness, type Metrics, type Readiness } from '@lending/runtime';
import type { TestDatabase } from '@lending/store/testing';
import { type ApiHere, startApiHere, startIndexerHere } from '../cluster/in-process.ts';
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
  readonly api: ApiHere;
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

export async function openHistoryWorld({
  database,
  startMs,
  transactionsPerSecond = TRANSACTIONS_PER_SECOND,
  programVersion = NEWEST_VERSION,
  metrics,
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
  const services = await openServices({ localnet, database, time, ...(metrics && { metrics }) });
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
  metrics,
}: ServicesOptions): Promise<Omit<HistoryWorld, 'advance'>> {
  const chain = openChain(localnet);
  const bus = await createBus({ kind: 'embedded', connectionString: database.connectionString });
  const readiness = createReadiness();
  const openIndexer = () => startIndexerHere(database, chain, { bus, ...PROMPT });
  const openApi = (settings: Readonly<Record<string, string>> = {}) =>
    startApiHere(database, {
      chain,
      readiness,
      now: () => time.oursMs,
      settings: { ...aggregatorsOf(localnet), ...settings },
      ...(metrics && { metrics }),
    });
  let [indexer, api] = [await openIndexer(), await openApi()];
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
      await api.stop();
      api = await openApi(settings);
    },
    async restartIndexer() {
      await indexer.stop();
      indexer = await openIndexer();
    },
    async stop() {
      await api.stop();
      await indexer.stop();
      await bus.close();
    },
  };
}

/** Of an indexer that looks every moment whether an hour is over. */
export const PROMPT = { collectMs: 10, rollUpMs: 50 } as const;

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

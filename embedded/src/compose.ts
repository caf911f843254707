import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RunningApi, startApi } from '@lending/api';
import { recallAudits } from '@lending/audit';
import { createBus } from '@lending/bus';
import { type Chain, createChain } from '@lending/chain';
import { describeError, type LendingError } from '@lending/errors';
import { claimNodesChain, createSource, readIndexing, runIndexer } from '@lending/indexer';
import { startPostgres } from '@lending/postgres';
import {
  readBackfill,
  readBeats,
  readSwapQuoting,
  runRatePoller,
  toRecalledQuotes,
  toRecalledRates,
} from '@lending/rate-poller';
import {
  busHooks,
  chainHooks,
  declareNodes,
  exposeConnections,
  type Logger,
  type Metrics,
  type Readiness,
  runBeat,
  type Shutdown,
  type SourceBoard,
} from '@lending/runtime';
import {
  createLeaderLock,
  createStore,
  listBankAudits,
  listenFollowed,
  listenProjected,
  listSwapQuotes,
  migrate,
  readNativeExchangeRates,
  readServiceStatus,
  type Store,
  writeVenueBeats,
} from '@lending/store';
import { VENUE_ADAPTERS } from '@lending/venues';
import { address } from '@solana/kit';
import packageJson from '../package.json' with { type: 'json' };
import type { EmbeddedConfig } from './config.ts';
import { type LocalChain, startLocalChain } from './local-chain.ts';
import { DATABASE_URL_FILE, MIGRATIONS_DIR } from './tables/config.ts';

export interface ComposeDeps {
  readonly config: EmbeddedConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
  readonly shutdown: Shutdown;
  readonly sources: SourceBoard;
  readonly instance: string;
  /** Tells a person what is going on while it takes time. */
  readonly progress: (line: string) => void;
}

/** Everything that runs, for the banner. */
export interface Composition {
  readonly baseUrl: string;
  readonly ask: RunningApi['ask'];
  readonly chain: Chain;
  readonly rpcUrl: string;
  readonly localChain: LocalChain | null;
  readonly databaseUrlFile: string;
}

const VERSION = packageJson.version;
const READ_TIMEOUT_MS = 5_000;
/** Batches of all topics are projected at the same time; one that gets no connection in time is projected later. */
const POOL_SIZE = 16;

/**
 * Starts Postgres, the chain, and the three services, in the order they need each other; registers their stopping in the
 * opposite order. Resolves when the api listens.
 */
export async function compose(deps: ComposeDeps): Promise<Composition> {
  const { config, logger, metrics, readiness, shutdown, sources, instance, progress } = deps;
  const { signal } = shutdown;

  progress('Starting Postgres …');
  const postgres = await startPostgres({
    dataDir: join(config.DATA_DIR, 'postgres'),
    database: 'lending',
    log: logger,
  });
  shutdown.onCleanup('postgres', () => postgres.stop());
  const databaseUrlFile = await writeDatabaseUrl(config.DATA_DIR, postgres.connectionString);
  reportFailures('postgres', () => reasonOfOutage(postgres.failure()), deps);

  progress('Preparing the tables …');
  const { connectionString } = postgres;
  await migrate({ connectionString, dir: MIGRATIONS_DIR, log: logger });
  const store = createStore({ connectionString, poolSize: POOL_SIZE, log: logger });
  shutdown.onCleanup('store', () => store.close());

  const localChain =
    config.SOLANA_RPC_URL === undefined ? await startLocalChain(config, await nextSlot(store), logger) : null;
  if (localChain !== null) {
    shutdown.onCleanup('local chain', () => localChain.stop());
    reportFailures('local-chain', () => localChain.failure(), deps);
  }
  const chain = openChain(config, localChain, deps);
  const claimed = claimNodesChain({ chain, store, logger, readiness }, signal);
  // Our own node answers at once, so a folder of another chain is refused here; a remote one may be away for a while.
  if (localChain !== null) await claimed;

  const bus = await createBus(
    { kind: 'embedded', connectionString, retentionMs: config.LOG_RETENTION_MS },
    { ...busHooks({ logger, metrics }), stopping: signal },
  );
  shutdown.onCleanup('bus', () => bus.close());

  // Another process may sample into these tables, too: the services shape beside this one, or this one twice.
  const leadership = createLeaderLock({ connectionString, name: 'rate-poller', log: logger });
  shutdown.onCleanup('leader lock', () => leadership.stop());
  signal.addEventListener('abort', () => void leadership.stop());

  progress('Starting the services …');
  const target = { chain, bus, program: address(config.P0_PROGRAM), group: address(config.P0_GROUP) };
  const watching = { logger, metrics, readiness };
  const source = await createSource(chain, config, chainHooks(logger, metrics, sources));
  const runServices = () =>
    Promise.all([
      runIndexer(
        {
          ...target,
          ...watching,
          ...readIndexing(config, chain.source),
          source,
          store,
          listenFollowed: (onChange) => {
            const listener = listenFollowed({
              connectionString,
              onFollowed: onChange,
              onListening: onChange,
              log: logger,
            });
            return () => listener.stop();
          },
          collectMs: config.WATCH_COLLECT_MS,
          reconcileMs: config.RECONCILE_MS,
          rawSampleDays: config.RAW_SAMPLE_DAYS,
          rateHourDays: config.RATE_HOUR_DAYS,
        },
        signal,
      ),
      runRatePoller(
        {
          ...target,
          ...watching,
          adapters: VENUE_ADAPTERS,
          beatMs: readBeats(config),
          leadership,
          tellBeats: (beats) => writeVenueBeats(store.db, beats),
          sources,
          recallNativeRates: async (before) => toRecalledRates(await readNativeExchangeRates(store.db, before)),
          recallAudits: async () => recallAudits(await listBankAudits(store.db, { source: chain.source })),
          discoveryMs: config.DISCOVERY_MS,
          outboxCapacity: config.OUTBOX_MESSAGES,
          // The past of mainnet's reserves is nobody's past on the local chain, though the addresses are the same.
          ...(localChain === null && { backfill: readBackfill(config) }),
          swapQuoting: readSwapQuoting(withLocalSwaps(config, localChain), chain.source, async () =>
            toRecalledQuotes(await listSwapQuotes(store.db)),
          ),
        },
        signal,
      ),
    ]);
  const services = claimed.then(async (isOurs) => void (isOurs && (await runServices())));
  services.catch((error: unknown) => {
    progress(describeError(error));
    return shutdown.stop('a service failed', 1);
  });
  shutdown.onCleanup('indexer and rate-poller', () => services.catch(() => undefined));

  // The api's own connections: a question that the database does not answer soon is better refused than waited for.
  const reads = createStore({ connectionString, poolSize: 5, statementTimeoutMs: READ_TIMEOUT_MS, log: logger });
  shutdown.onCleanup('api store', () => reads.close());
  exposeConnections(metrics, { services: store.connections, api: reads.connections });
  const api = await startApi({
    config: withFirstContact(withLocalSwaps(withLocalSwitchboard(config, localChain), localChain)),
    db: reads.db,
    chain,
    logger,
    metrics,
    readiness,
    // One process is all three services, and its own memory says what they hear from.
    sources: { role: 'embedded', instance, board: sources },
    watchChanges: async (onChange) => {
      const listener = listenProjected({ connectionString, onProjected: onChange, onListening: onChange, log: logger });
      return () => listener.stop();
    },
    version: VERSION,
  });
  shutdown.onCleanup('api', () => api.close(), { mayTakeMs: api.closeMs });
  const rpcUrl = localChain?.rpcUrl ?? chain.host;
  return { baseUrl: api.url, ask: api.ask, chain, rpcUrl, localChain, databaseUrlFile };
}

/** A report of a first contact is looked for in the data folder, unless another was named. */
function withFirstContact(config: EmbeddedConfig): EmbeddedConfig {
  const { FIRST_CONTACT_FILE = join(config.DATA_DIR, 'first-contact.json') } = config;
  return { ...config, FIRST_CONTACT_FILE };
}

/** The local chain's double of Switchboard, unless another was named. */
function withLocalSwitchboard(config: EmbeddedConfig, localChain: LocalChain | null): EmbeddedConfig {
  const url = localChain?.switchboardUrl ?? null;
  if (url === null) return config;
  const { SWITCHBOARD_CROSSBAR_URL: crossbarUrl = url, SWITCHBOARD_GATEWAY_HOSTS: hosts = [new URL(url).hostname] } =
    config;
  return { ...config, SWITCHBOARD_CROSSBAR_URL: crossbarUrl, SWITCHBOARD_GATEWAY_HOSTS: hosts };
}

/** The local chain's doubles of the aggregators, unless others were named; what they trade through is no program of mainnet. */
function withLocalSwaps(config: EmbeddedConfig, localChain: LocalChain | null): EmbeddedConfig {
  const swaps = localChain?.swaps ?? null;
  if (swaps === null) return config;
  const { JUPITER_URL = swaps.urls.jupiter, DFLOW_URL = swaps.urls.dflow, SWAP_PROGRAMS = [swaps.program] } = config;
  return { ...config, JUPITER_URL, DFLOW_URL, SWAP_PROGRAMS };
}

function openChain(
  config: EmbeddedConfig,
  localChain: LocalChain | null,
  { logger, metrics, sources }: Pick<ComposeDeps, 'logger' | 'metrics' | 'sources'>,
): Chain {
  const hooks = chainHooks(logger, metrics, sources);
  const requestTimeoutMs = config.RPC_TIMEOUT_MS;
  if (localChain !== null) {
    const { rpcUrl, wsUrl } = localChain;
    declareNodes(sources, [rpcUrl]);
    return createChain({ rpcUrls: [rpcUrl], wsUrl, source: 'localnet', requestTimeoutMs }, hooks);
  }
  const wsUrl = config.SOLANA_WS_URL;
  declareNodes(sources, config.SOLANA_RPC_URL ?? []);
  return createChain(
    { rpcUrls: config.SOLANA_RPC_URL ?? [], ...(wsUrl && { wsUrl }), source: 'chain', requestTimeoutMs },
    hooks,
  );
}

/**
 * A slot that no row has. A local chain that begins anew (its folder was removed, or is damaged) must not go back behind what the
 * tables know: rows are guarded by slot. The margin covers configuration read after the newest sample.
 */
async function nextSlot(store: Store): Promise<bigint> {
  const { newest_slot: newest } = await readServiceStatus(store.db);
  return newest === null ? 0n : newest + 1_000n;
}

/** Lets an analyst connect with plain SQL: `psql "$(cat .data/database-url)"`. Readable by the owner alone. */
async function writeDatabaseUrl(dataDir: string, url: string): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  const path = join(dataDir, DATABASE_URL_FILE);
  await writeFile(`${path}.new`, url, { mode: 0o600 });
  await rename(`${path}.new`, path);
  return path;
}

/** What everybody may read, said once for a whole outage: the server's own words name folders and change, and stand in the log. */
function reasonOfOutage(failure: LendingError | null): string | null {
  if (failure === null) return null;
  return failure.code === 'RUNTIME__DISK_EXCEEDED'
    ? `${failure.code}: the disk is full`
    : 'the server stopped and is started again; the log says why';
}

/**
 * Passes on what a part with a supervisor of its own says of itself. A full disk makes Postgres and the local chain stand still; both
 * go on when there is room, and meanwhile the process says why it is not ready.
 */
function reportFailures(name: string, failure: () => string | null, { readiness, shutdown }: ComposeDeps): void {
  const component = readiness.component(name);
  void runBeat(500, shutdown.signal, async () => {
    const reason = failure();
    if (reason === null) component.ready();
    else component.notReady(reason);
  });
}

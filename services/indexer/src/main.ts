import { join } from 'node:path';
import { createBus } from '@lending/bus';
import { createChain } from '@lending/chain';
import {
  busHooks,
  chainHooks,
  connectionStringOf,
  declareNodes,
  exposeConnections,
  reportSourcesOnBeat,
  runProcess,
  startProbeServer,
  waitUntilReady,
} from '@lending/runtime';
import { createStore, listenFollowed, migrate, reportSources } from '@lending/store';
import { address } from '@solana/kit';
import { claimNodesChain } from './claim-chain.ts';
import { createSource, indexerProcessSettings, readIndexing } from './config.ts';
import { runIndexer } from './indexer.ts';

/** Batches of all topics are projected at the same time; one that gets no connection in time is projected later. */
const POOL_SIZE = 16;
const MIGRATIONS_DIR = join(import.meta.dirname, '..', '..', '..', 'migrations');

/** The indexer as a process of its own: Kafka and Postgres behind it, probes in front of it. */
await runProcess({
  name: 'indexer',
  settings: indexerProcessSettings,
  async start(config, { logger, metrics, readiness, shutdown, sources, instance }) {
    const { SOLANA_RPC_URL: rpcUrls, SOLANA_WS_URL: wsUrl } = config;
    const connectionString = connectionStringOf(config);
    const { signal } = shutdown;
    const probes = await startProbeServer({ host: config.PROBE_HOST, port: config.PROBE_PORT, readiness, metrics });
    shutdown.onCleanup('probes', () => probes.close());
    logger.info('indexer.process.start', { probes: probes.url });

    const waiting = { readiness, logger, signal };
    await waitUntilReady('Postgres', () => migrate({ connectionString, dir: MIGRATIONS_DIR, log: logger }), waiting);
    const store = createStore({ connectionString, poolSize: POOL_SIZE, stopping: signal, log: logger });
    shutdown.onCleanup('store', () => store.close());
    exposeConnections(metrics, { indexer: store.connections });
    const reporting = reportSourcesOnBeat(
      {
        board: sources,
        tell: (sights) => reportSources(store.db, { role: 'indexer', instance, sources: sights }),
        logger,
      },
      signal,
    );
    shutdown.onCleanup('sources', () => reporting);
    declareNodes(sources, rpcUrls);
    const chain = createChain(
      { rpcUrls, ...(wsUrl && { wsUrl }), source: config.CHAIN_SOURCE, requestTimeoutMs: config.RPC_TIMEOUT_MS },
      chainHooks(logger, metrics, sources),
    );
    const hooks = { ...busHooks({ logger, metrics }), stopping: shutdown.signal };
    const bus = await waitUntilReady(
      'Kafka',
      () =>
        createBus(
          {
            kind: 'kafka',
            brokers: config.KAFKA_BROKERS,
            retentionMs: config.LOG_RETENTION_MS,
            sessionTimeoutMs: config.KAFKA_SESSION_MS,
            clientId: 'indexer',
          },
          hooks,
        ),
      waiting,
    );
    shutdown.onCleanup('bus', () => bus.close());

    if (!(await claimNodesChain({ chain, store, logger, readiness }, signal))) return;
    const running = runIndexer(
      {
        chain,
        source: await createSource(chain, config, chainHooks(logger, metrics, sources)),
        bus,
        store,
        ...readIndexing(config, chain.source),
        listenFollowed: (onChange) => {
          const listener = listenFollowed({
            connectionString,
            onFollowed: onChange,
            onListening: onChange,
            log: logger,
          });
          return () => listener.stop();
        },
        program: address(config.P0_PROGRAM),
        group: address(config.P0_GROUP),
        collectMs: config.WATCH_COLLECT_MS,
        reconcileMs: config.RECONCILE_MS,
        rawSampleDays: config.RAW_SAMPLE_DAYS,
        rateHourDays: config.RATE_HOUR_DAYS,
        logger,
        metrics,
        readiness,
      },
      signal,
    );
    shutdown.onCleanup('indexer', () => running);
    await running;
  },
});

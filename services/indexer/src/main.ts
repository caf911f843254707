import { join } from 'node:path';
import { createBus } from '@lending/bus';
import { createChain } from '@lending/chain';
import { logEndpointChanges, retryWithJitter, runProcess, startProbeServer } from '@lending/runtime';
import { createStore, migrate } from '@lending/store';
import { address } from '@solana/kit';
import { readConfig } from './config.ts';
import { runIndexer } from './indexer.ts';

const MIGRATIONS_DIR = join(import.meta.dirname, '..', '..', '..', 'migrations');

/** The indexer as a process of its own: Kafka and Postgres behind it, probes in front of it. */
await runProcess({
  name: 'indexer',
  readConfig,
  secretsOf: (config) => [...config.SOLANA_RPC_URL, config.DATABASE_URL],
  async start(config, { logger, metrics, readiness, shutdown }) {
    const { SOLANA_RPC_URL: rpcUrls, SOLANA_WS_URL: wsUrl, DATABASE_URL: connectionString } = config;
    const { signal } = shutdown;
    const probes = await startProbeServer({ host: config.PROBE_HOST, port: config.PROBE_PORT, readiness, metrics });
    shutdown.onCleanup('probes', () => probes.close());
    logger.info('indexer.process.start', { probes: probes.url });

    const waitFor = <T>(name: string, task: () => Promise<T>): Promise<T> => {
      const component = readiness.component(name);
      const onRetry = (error: unknown): void => {
        component.notReady(`${name} does not answer`);
        logger.warn('indexer.process.wait', { for: name, error });
      };
      return retryWithJitter(task, { signal, onRetry }).then((result) => {
        component.ready();
        return result;
      });
    };
    await waitFor('Postgres', () => migrate({ connectionString, dir: MIGRATIONS_DIR, log: logger }));
    const store = createStore({ connectionString, log: logger });
    shutdown.onCleanup('store', () => store.close());
    const chain = createChain(
      { rpcUrls, ...(wsUrl && { wsUrl }), source: config.CHAIN_SOURCE, requestTimeoutMs: config.RPC_TIMEOUT_MS },
      {
        onEndpointState: logEndpointChanges(logger),
        onWatchState: (change) => logger.debug('chain.watch.change', { ...change }),
      },
    );
    const buried = metrics.counter({ name: 'bus.message.bury', help: 'Messages set aside', labels: ['topic'] });
    const bus = await waitFor('Kafka', () =>
      createBus(
        { kind: 'kafka', brokers: config.KAFKA_BROKERS, clientId: 'indexer' },
        {
          onBuried: ({ topic }) => buried.inc({ topic }),
          onEvent: ({ level, event, facts, error }) => logger[level](event, { ...facts, error }),
        },
      ),
    );
    shutdown.onCleanup('bus', () => bus.close());

    const running = runIndexer(
      {
        chain,
        bus,
        store,
        program: address(config.P0_PROGRAM),
        group: address(config.P0_GROUP),
        collectMs: config.WATCH_COLLECT_MS,
        reconcileMs: config.RECONCILE_MS,
        rawSampleDays: config.RAW_SAMPLE_DAYS,
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

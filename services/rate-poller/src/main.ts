import { recallAudits } from '@lending/audit';
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
import {
  createLeaderLock,
  createStore,
  listBankAudits,
  listSwapQuotes,
  readNativeExchangeRates,
  reportSources,
  writeVenueBeats,
} from '@lending/store';
import { VENUE_ADAPTERS } from '@lending/venues';
import { address } from '@solana/kit';
import { readBackfill } from './backfill/venue-histories.ts';
import { ratePollerSettings, readBeats } from './config.ts';
import { toRecalledRates } from './epoch-recall.ts';
import { runRatePoller } from './rate-poller.ts';
import { readSwapQuoting } from './swaps/open-swap-quotes.ts';
import { toRecalledQuotes } from './swaps/recalled-quotes.ts';

/**
 * The rate poller as a process of its own: Kafka behind it, probes in front of it. It asks the database two things only: whether it
 * is the one that samples, and what stake pools were worth and swaps gave before it began.
 */
await runProcess({
  name: 'rate-poller',
  settings: ratePollerSettings,
  async start(config, { logger, metrics, readiness, shutdown, sources, instance }) {
    const { SOLANA_RPC_URL: rpcUrls, SOLANA_WS_URL: wsUrl } = config;
    const connectionString = connectionStringOf(config);
    const probes = await startProbeServer({ host: config.PROBE_HOST, port: config.PROBE_PORT, readiness, metrics });
    shutdown.onCleanup('probes', () => probes.close());
    logger.info('rate.poller.start', { probes: probes.url });

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
            clientId: 'rate-poller',
          },
          hooks,
        ),
      { readiness, logger, signal: shutdown.signal },
    );
    shutdown.onCleanup('bus', () => bus.close());

    const store = createStore({
      connectionString,
      poolSize: 1,
      stopping: shutdown.signal,
      log: logger,
    });
    shutdown.onCleanup('store', () => store.close());
    exposeConnections(metrics, { 'rate-poller': store.connections });
    const reporting = reportSourcesOnBeat(
      {
        board: sources,
        tell: (sights) => reportSources(store.db, { role: 'rate-poller', instance, sources: sights }),
        logger,
      },
      shutdown.signal,
    );
    shutdown.onCleanup('sources', () => reporting);
    const leadership = createLeaderLock({ connectionString, name: 'rate-poller', log: logger });
    shutdown.onCleanup('leader lock', () => leadership.stop());
    const running = runRatePoller(
      {
        chain,
        bus,
        program: address(config.P0_PROGRAM),
        group: address(config.P0_GROUP),
        adapters: VENUE_ADAPTERS,
        beatMs: readBeats(config),
        discoveryMs: config.DISCOVERY_MS,
        outboxCapacity: config.OUTBOX_MESSAGES,
        ...(config.CHAIN_SOURCE === 'chain' && { backfill: readBackfill(config) }),
        swapQuoting: readSwapQuoting(config, config.CHAIN_SOURCE, async () =>
          toRecalledQuotes(await listSwapQuotes(store.db)),
        ),
        leadership,
        tellBeats: (beats) => writeVenueBeats(store.db, beats),
        sources,
        recallNativeRates: async (before) => toRecalledRates(await readNativeExchangeRates(store.db, before)),
        recallAudits: async () => recallAudits(await listBankAudits(store.db, { source: chain.source })),
        logger,
        metrics,
        readiness,
      },
      shutdown.signal,
    );
    // Nothing more is read from now on, and what was read can be sent beside another one's: a stand-by need not wait for it.
    shutdown.signal.addEventListener('abort', () => void leadership.stop());
    shutdown.onCleanup('rate poller', () => running);
    await running;
  },
});

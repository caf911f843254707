import { createBus } from '@lending/bus';
import { createChain } from '@lending/chain';
import { claimNodesChain, runIndexer } from '@lending/indexer';
import type { LocalnetNode } from '@lending/localnet';
import { createLogger, createMetrics, createReadiness } from '@lending/runtime';
import { listenFollowed } from '@lending/store';
import type { TestDatabase } from '@lending/testing';
import { INDEXER_SETTINGS } from '../indexer-settings.ts';

/** Something that runs until it is stopped. */
export interface Running {
  stop(): Promise<void>;
}

/**
 * An indexer in this process, on the embedded log.
 * @param reconcileMs how often it lists what it may not have been told; default: seldom.
 */
export async function startSteadyIndexer(
  database: TestDatabase,
  node: LocalnetNode,
  reconcileMs?: number,
): Promise<Running> {
  const { connectionString, store } = database;
  const logger = createLogger({ level: 'silent', name: 'steady' });
  const chain = createChain({ rpcUrls: [node.rpcUrl], source: 'localnet' });
  const bus = await createBus({ kind: 'embedded', connectionString });
  const stopping = new AbortController();
  const readiness = createReadiness();
  await claimNodesChain({ chain, store, logger, readiness }, stopping.signal);
  const running = runIndexer(
    {
      ...INDEXER_SETTINGS,
      chain,
      source: chain.createPubSubSource(),
      bus,
      store,
      walletRefreshMs: 1_000,
      ...(reconcileMs !== undefined && { activityTuning: { reconcileMs } }),
      listenFollowed: (onChange) => {
        const listener = listenFollowed({ connectionString, onFollowed: onChange, onListening: onChange, log: logger });
        return () => listener.stop();
      },
      collectMs: 100,
      logger,
      metrics: createMetrics(),
      readiness,
    },
    stopping.signal,
  );
  return {
    async stop() {
      stopping.abort();
      await running;
      await bus.close();
    },
  };
}

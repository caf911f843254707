import { createBus } from '@lending/bus';
import { createChain } from '@lending/chain';
import { claimNodesChain, runIndexer } from '@lending/indexer';
import type { LocalnetNode } from '@lending/localnet';
import { MARGINFI_MAIN_GROUP, MARGINFI_PROGRAM } from '@lending/programs';
import { createLogger, createMetrics, createReadiness } from '@lending/runtime';
import { listenFollowed } from '@lending/store';
import type { TestDatabase } from '@lending/testing';

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
      chain,
      source: chain.createPubSubSource(),
      bus,
      store,
      program: MARGINFI_PROGRAM,
      group: MARGINFI_MAIN_GROUP,
      scope: 'all',
      pastDays: null,
      readsPerSecond: 1_000,
      accountReconcileMs: 3_600_000,
      walletRefreshMs: 1_000,
      followIdleMs: 3_600_000,
      ...(reconcileMs !== undefined && { activityTuning: { reconcileMs } }),
      listenFollowed: (onChange) => {
        const listener = listenFollowed({ connectionString, onFollowed: onChange, onListening: onChange, log: logger });
        return () => listener.stop();
      },
      collectMs: 100,
      reconcileMs: 600_000,
      rawSampleDays: 30,
      rateHourDays: 1_095,
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

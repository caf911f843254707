import { createBus } from '@lending/bus';
import { createChain } from '@lending/chain';
import { VENUES } from '@lending/domain';
import type { LocalnetNode } from '@lending/localnet';
import { MARGINFI_MAIN_GROUP, MARGINFI_PROGRAM } from '@lending/programs';
import { runRatePoller } from '@lending/rate-poller';
import { createLogger, createMetrics, createReadiness } from '@lending/runtime';
import { createLeaderLock } from '@lending/store';
import type { TestDatabase } from '@lending/testing';
import { VENUE_ADAPTERS } from '@lending/venues';
import { type Running, startSteadyIndexer } from '../chaos/steady-indexer.ts';
import { POLL_MS } from './struck-services.ts';

/** A pipeline that nothing happens to, in this process: its own database, its own log, its own way to the node. */
export async function startSteadyPipeline(database: TestDatabase, node: LocalnetNode): Promise<Running> {
  const { connectionString } = database;
  const indexer = await startSteadyIndexer(database, node);
  const logger = createLogger({ level: 'silent', name: 'steady' });
  const bus = await createBus({ kind: 'embedded', connectionString });
  const leadership = createLeaderLock({ connectionString, name: 'rate-poller' });
  const stopping = new AbortController();
  const polling = runRatePoller(
    {
      chain: createChain({ rpcUrls: [node.rpcUrl], source: 'localnet' }),
      bus,
      program: MARGINFI_PROGRAM,
      group: MARGINFI_MAIN_GROUP,
      adapters: VENUE_ADAPTERS,
      beatMs: Object.fromEntries(VENUES.map((venue) => [venue, POLL_MS])),
      discoveryMs: 600_000,
      outboxCapacity: 200_000,
      leadership,
      logger,
      metrics: createMetrics(),
      readiness: createReadiness(),
    },
    stopping.signal,
  );
  return {
    async stop() {
      stopping.abort();
      await polling;
      await leadership.stop();
      await indexer.stop();
      await bus.close();
    },
  };
}

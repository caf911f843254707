import { join } from 'node:path';
import {
  connectionStringOf,
  exposeConnections,
  type Logger,
  type Readiness,
  retryWithJitter,
  runProcess,
} from '@lending/runtime';
import { createStore, listenProjected, migrate } from '@lending/store';
import packageJson from '../package.json' with { type: 'json' };
import { openNode } from './builds/create-builders.ts';
import { apiProcessSettings } from './config.ts';
import { startApi } from './start-api.ts';
import { readCertificate } from './tls/read-certificate.ts';

/** A question that the database does not answer soon is better refused than waited for. */
const READ_TIMEOUT_MS = 5_000;
const MIGRATIONS_DIR = join(import.meta.dirname, '..', '..', '..', 'migrations');

/** The api as a process of its own. It listens first, so that probes hear why it is not ready, and then prepares the tables. */
await runProcess({
  name: 'api',
  settings: apiProcessSettings,
  check: readCertificate,
  async start(config, { logger, metrics, readiness, shutdown, sources, instance }) {
    const connectionString = connectionStringOf(config);
    const store = createStore({ connectionString, statementTimeoutMs: READ_TIMEOUT_MS, log: logger });
    shutdown.onCleanup('store', () => store.close());
    exposeConnections(metrics, { api: store.connections });
    const api = await startApi({
      config,
      db: store.db,
      chain: openNode(config, logger, metrics, sources),
      sources: { role: 'api', instance, board: sources },
      logger,
      metrics,
      readiness,
      watchChanges: async (onChange) => {
        const listener = listenProjected({
          connectionString,
          onProjected: onChange,
          onListening: onChange,
          log: logger,
        });
        return () => listener.stop();
      },
      version: packageJson.version,
    });
    shutdown.onCleanup('server', () => api.close(), { mayTakeMs: api.closeMs });
    await prepareTables(connectionString, readiness, logger, shutdown.signal);
  },
});

/** Brings the tables up to date as soon as the database answers; until then `/readyz` says what is missing. */
async function prepareTables(
  connectionString: string,
  readiness: Readiness,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  const component = readiness.component('schema');
  await retryWithJitter(() => migrate({ connectionString, dir: MIGRATIONS_DIR, log: logger }), {
    signal,
    onRetry: (error, { delayMs }) => {
      component.notReady('the migrations have not run yet: the database does not answer');
      logger.warn('store.migration.retry', { error, delayMs });
    },
  });
  component.ready();
}

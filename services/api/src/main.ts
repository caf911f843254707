import { join } from 'node:path';
import { describeError } from '@lending/errors';
import {
  createLogger,
  createMetrics,
  createReadiness,
  createShutdown,
  type Logger,
  type Readiness,
  retryWithJitter,
} from '@lending/runtime';
import { createStore, listenProjected, migrate } from '@lending/store';
import packageJson from '../package.json' with { type: 'json' };
import { readApiConfig } from './config.ts';
import { startApi } from './start-api.ts';

const MIGRATIONS_DIR = join(import.meta.dirname, '..', '..', '..', 'migrations');

async function main(): Promise<void> {
  const config = readApiConfig();
  const connectionString = config.DATABASE_URL;
  const logger = createLogger({
    level: config.LOG_LEVEL,
    name: 'api',
    pretty: config.LOG_FORMAT === 'pretty',
    secrets: [connectionString],
  });
  const shutdown = createShutdown({ logger });
  const readiness = createReadiness();
  const store = createStore({ connectionString, log: logger });
  shutdown.onCleanup('store', () => store.close());
  try {
    const api = await startApi({
      config,
      db: store.db,
      logger,
      metrics: createMetrics({ defaultMetrics: true }),
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
    shutdown.onCleanup('server', () => api.close());
    await prepareTables(connectionString, readiness, logger, shutdown.signal);
  } catch (error) {
    if (shutdown.signal.aborted) return;
    logger.error('api.process.fail', { error });
    await shutdown.stop(describeError(error), 1);
  }
}

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

try {
  await main();
} catch (error) {
  process.stderr.write(`${describeError(error)}\n`);
  process.exitCode = 1;
}

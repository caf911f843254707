import { join } from 'node:path';
import { runProcess, waitUntilReady } from '@lending/runtime';
import { migrate } from '@lending/store';
import { readMigrateConfig } from './config.ts';

const MIGRATIONS_DIR = join(import.meta.dirname, '..', '..', '..', '..', 'migrations');

/** Brings the tables up to date, and ends: once before a release's services start, so that none of them waits for another to do it. */
await runProcess({
  name: 'migrate',
  readConfig: readMigrateConfig,
  secretsOf: ({ DATABASE_URL }) => [DATABASE_URL],
  async start({ DATABASE_URL: connectionString }, { logger, readiness, shutdown }) {
    const { signal } = shutdown;
    const applied = await waitUntilReady(
      'Postgres',
      () => migrate({ connectionString, dir: MIGRATIONS_DIR, log: logger }),
      { readiness, logger, signal },
    );
    logger.info('store.migration.finish', { applied });
    await shutdown.stop('the tables are up to date');
  },
});

import { join } from 'node:path';
import { connectionStringOf, runProcess, waitUntilReady } from '@lending/runtime';
import { migrate } from '@lending/store';
import { JOB_PATIENCE_MS, migrateSettings } from './config.ts';
import { explainWaitInVain } from './explain-wait-in-vain.ts';

const MIGRATIONS_DIR = join(import.meta.dirname, '..', '..', '..', '..', 'migrations');

/** Brings the tables up to date, and ends: once before a release's services start, so that none of them waits for another to do it. */
await runProcess({
  name: 'migrate',
  isJob: true,
  settings: migrateSettings,
  async start(config, { logger, readiness, shutdown }) {
    const { signal } = shutdown;
    const connectionString = connectionStringOf(config);
    const applied = await waitUntilReady(
      'Postgres',
      () => migrate({ connectionString, dir: MIGRATIONS_DIR, log: logger }),
      { readiness, logger, signal, giveUpAfterMs: JOB_PATIENCE_MS },
    ).catch((error: unknown) => {
      throw explainWaitInVain(error);
    });
    logger.info('store.migration.finish', { applied });
    await shutdown.stop('the tables are up to date');
  },
});

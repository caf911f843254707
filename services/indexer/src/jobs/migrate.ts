import { join } from 'node:path';
import { isLendingError, LendingError } from '@lending/errors';
import { connectionStringOf, databaseSecrets, runProcess, waitUntilReady } from '@lending/runtime';
import { migrate } from '@lending/store';
import { JOB_PATIENCE_MS, readMigrateConfig } from './config.ts';

const MIGRATIONS_DIR = join(import.meta.dirname, '..', '..', '..', '..', 'migrations');

/** Brings the tables up to date, and ends: once before a release's services start, so that none of them waits for another to do it. */
await runProcess({
  name: 'migrate',
  readConfig: readMigrateConfig,
  secretsOf: databaseSecrets,
  async start(config, { logger, readiness, shutdown }) {
    const { signal } = shutdown;
    const connectionString = connectionStringOf(config);
    const applied = await waitUntilReady(
      'Postgres',
      () => migrate({ connectionString, dir: MIGRATIONS_DIR, log: logger }),
      { readiness, logger, signal, giveUpAfterMs: JOB_PATIENCE_MS },
    ).catch((error: unknown) => {
      throw explain(error);
    });
    logger.info('store.migration.finish', { applied });
    await shutdown.stop('the tables are up to date');
  },
});

/** What to do where waiting did not help, by the class of the SQLSTATE. */
const WHAT_TO_DO: Readonly<Record<string, string>> = {
  28: 'Postgres rejects the user or the password of DATABASE_URL and PGPASSWORD. It keeps the password of its first start: give that one, or change it there with ALTER ROLE',
  '3D': 'The database that DATABASE_URL names does not exist. Create it; where the first start of Postgres was interrupted, remove its data and start it again',
};

function explain(error: unknown): unknown {
  if (!isLendingError(error, 'STORE__UNAVAILABLE')) return error;
  const { code = '' } = (error.cause ?? {}) as { readonly code?: string };
  const message = WHAT_TO_DO[code.slice(0, 2)] ?? `Postgres did not answer for ${JOB_PATIENCE_MS / 1_000} s`;
  return new LendingError('STORE__UNAVAILABLE', { message, cause: error.cause });
}

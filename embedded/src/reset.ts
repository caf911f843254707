import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describeError } from '@lending/errors';
import { removePostgres } from '@lending/postgres';
import { DATABASE_URL_FILE, readTableConfig } from './tables/config.ts';

/** Clears what the one-process shape keeps. Refuses while it runs: Postgres's data is removed first, and that is locked. */
try {
  const { DATA_DIR } = readTableConfig();
  await removePostgres({ dataDir: join(DATA_DIR, 'postgres') });
  await rm(join(DATA_DIR, 'chain'), { recursive: true, force: true });
  await rm(join(DATA_DIR, DATABASE_URL_FILE), { force: true });
  process.stderr.write(`Cleared ${DATA_DIR}.\n`);
} catch (error) {
  process.stderr.write(`${describeError(error)}\n`);
  process.exitCode = 1;
}

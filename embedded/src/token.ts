import { printTokenCommand } from '@lending/api/tokens';
import { describeError } from '@lending/errors';
import { migrate } from '@lending/store';
import { MIGRATIONS_DIR, readTableConfig } from './tables/config.ts';
import { openTables } from './tables/open-tables.ts';

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stopping.abort());
process.once('disconnect', () => stopping.abort());
// Whoever listens for its launcher's end is kept alive by it.
process.channel?.unref();

/** Issues, lists and revokes tokens, on the tables of a service that runs or does not. A new token is all that goes to standard output. */
try {
  const { connectionString, close } = await openTables(readTableConfig(), stopping.signal);
  try {
    await migrate({ connectionString, dir: MIGRATIONS_DIR });
    await printTokenCommand(connectionString, process.argv.slice(2));
  } finally {
    await close();
  }
} catch (error) {
  process.stderr.write(`${describeError(error)}\n`);
  process.exitCode = 1;
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLendingError } from '@lending/errors';
import { startPostgres } from '@lending/postgres';
import { createStore } from '@lending/store';
import { DATABASE_URL_FILE, type TableConfig } from './config.ts';

/** The tables of a service, whether it runs or not. */
export interface OpenTables {
  readonly connectionString: string;
  /** Stops what had to be started for it. */
  close(): Promise<void>;
}

/** A process that starts holds the data folder a moment before it says where its tables are. */
const PATIENCE_MS = 20_000;
const LOOK_EVERY_MS = 250;

/**
 * Finds the tables: those that are named; else those of the one process that runs on the data folder; else it starts their server itself,
 * for as long as they are needed.
 * @throws RUNTIME__INSTANCE_INVALID when a process holds the data folder and its tables do not answer.
 */
export async function openTables(config: TableConfig, signal: AbortSignal): Promise<OpenTables> {
  const named = config.DATABASE_URL ?? (await findRunning(config.DATA_DIR));
  if (named !== null) return { connectionString: named, close: async () => {} };
  try {
    const postgres = await startPostgres({ dataDir: join(config.DATA_DIR, 'postgres'), database: 'lending', signal });
    return { connectionString: postgres.connectionString, close: () => postgres.stop() };
  } catch (error) {
    if (!isLendingError(error, 'RUNTIME__INSTANCE_INVALID')) throw error;
    const connectionString = await waitForRunning(config.DATA_DIR, signal);
    if (connectionString === null) throw error;
    return { connectionString, close: async () => {} };
  }
}

async function waitForRunning(dataDir: string, signal: AbortSignal): Promise<string | null> {
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    const found = await findRunning(dataDir);
    if (found !== null) return found;
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
  return null;
}

/** Null where nothing answers at the address that was left behind: a process that is gone does not take it back. */
async function findRunning(dataDir: string): Promise<string | null> {
  const connectionString = await readFile(join(dataDir, DATABASE_URL_FILE), 'utf8').catch(() => null);
  if (connectionString === null) return null;
  const store = createStore({ connectionString, poolSize: 1 });
  try {
    await store.ping();
    return connectionString;
  } catch {
    return null;
  } finally {
    await store.close();
  }
}

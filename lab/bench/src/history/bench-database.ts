import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removePostgres, startPostgres } from '@lending/postgres';
import { createStore, migrate, type Store } from '@lending/store';
import pg from 'pg';

const MIGRATIONS_DIR = join(import.meta.dirname, '..', '..', '..', '..', 'migrations');

/** Statements here load and roll up more than any service does at once. */
const STATEMENT_TIMEOUT_MS = 3_600_000;

export interface BenchServer {
  /** A migrated database of this name, made if it is missing. */
  open(database: string): Promise<BenchDatabase>;
  /** Stops the server, and removes its data unless they lie in a folder that was given. */
  stop(): Promise<void>;
}

export interface BenchDatabase {
  readonly connectionString: string;
  readonly store: Store;
}

/** A server as `npm start` runs it, everything reaching the disk. @param folder keeps the data there instead of a temporary folder */
export async function startBenchServer(folder: string | undefined): Promise<BenchServer> {
  const dataDir = folder ?? (await mkdtemp(join(tmpdir(), 'lending-bench-')));
  // As root the server runs as somebody else, who has to get in.
  if (folder === undefined) await chmod(dataDir, 0o711);
  const postgres = await startPostgres({ dataDir, database: 'bench' });
  const stores: Store[] = [];
  return {
    async open(database) {
      const url = new URL(postgres.connectionString);
      await createDatabase(postgres.connectionString, database);
      url.pathname = `/${database}`;
      await migrate({ connectionString: url.href, dir: MIGRATIONS_DIR });
      const store = createStore({ connectionString: url.href, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
      stores.push(store);
      return { connectionString: url.href, store };
    },
    async stop() {
      await Promise.all(stores.map((store) => store.close()));
      await postgres.stop();
      if (folder === undefined) await removePostgres({ dataDir });
    },
  };
}

async function createDatabase(connectionString: string, database: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [database]);
    if (rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(database)}`);
  } finally {
    await client.end();
  }
}

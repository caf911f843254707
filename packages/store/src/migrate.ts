import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LendingError } from '@lending/errors';
import pg from 'pg';
import type { StoreLog } from './create-store.ts';
import { toStoreFailure } from './store-failure.ts';

export interface MigrateOptions {
  readonly connectionString: string;
  /** Folder of `NNNN_what_it_does.sql`, applied in the order of their numbers. */
  readonly dir: string;
  readonly log?: StoreLog;
}

interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

const NAME = /^\d{4}_[a-z0-9_]+\.sql$/;

/** Any fixed number will do: it names the lock. */
const MIGRATION_LOCK = 7_105_551;

/**
 * Brings the tables up to date: applies, each in its own transaction, the files not applied yet. Whoever comes second waits
 * for the first and finds the work done.
 *
 * @returns the names of the files applied now.
 * @throws STORE__MIGRATION_MISMATCH when history was rewritten: an applied file changed or is gone, or a new one has a number
 * below an applied one.
 * @throws STORE__MIGRATION_INVALID when the SQL of a file fails; nothing of that file stays.
 */
export async function migrate(options: MigrateOptions): Promise<readonly string[]> {
  const migrations = await readMigrations(options.dir);
  const client = new pg.Client({ connectionString: options.connectionString, keepAlive: true });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const applied = await readApplied(client);
    assertSameHistory(applied, migrations);
    const pending = migrations.slice(applied.length);
    for (const migration of pending) {
      await applyMigration(client, migration);
      options.log?.info('store.migration.applied', { migration: migration.name });
    }
    return pending.map(({ name }) => name);
  } catch (error) {
    throw toStoreFailure(error);
  } finally {
    // Ends the session and with it the lock.
    await client.end().catch(() => undefined);
  }
}

async function readMigrations(dir: string): Promise<Migration[]> {
  const names = (await readdir(dir)).filter((name) => NAME.test(name)).sort();
  const twice = names.find((name, index) => names[index - 1]?.slice(0, 4) === name.slice(0, 4));
  if (twice) throw mismatch(twice, 'its number is taken by another file');
  return await Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(dir, name), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

type Applied = Pick<Migration, 'name' | 'checksum'>;

async function readApplied(client: pg.Client): Promise<Applied[]> {
  await client.query(`
    create table if not exists schema_migration (
      name text primary key,
      checksum text not null,
      applied_at timestamptz not null default now()
    )
  `);
  const { rows } = await client.query<Applied>('select name, checksum from schema_migration order by name');
  return rows;
}

/** What was applied must be the beginning of what the folder holds, file by file. */
function assertSameHistory(applied: readonly Applied[], migrations: readonly Migration[]): void {
  for (const [index, { name, checksum }] of applied.entries()) {
    const file = migrations[index];
    if (file?.name === name && file.checksum === checksum) continue;
    if (file?.name === name) throw mismatch(name, 'it was changed after it was applied; restore it and add a new file');
    const isThere = migrations.some((migration) => migration.name === name);
    if (isThere && file) throw mismatch(file.name, `its number is below ${name}, which is applied already`);
    throw mismatch(name, 'it was applied and its file is gone; the tables may belong to a newer version');
  }
}

async function applyMigration(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(migration.sql);
    await client.query('insert into schema_migration (name, checksum) values ($1, $2)', [
      migration.name,
      migration.checksum,
    ]);
    await client.query('commit');
  } catch (cause) {
    await client.query('rollback').catch(() => undefined);
    throw toMigrationFailure(migration.name, cause);
  }
}

function toMigrationFailure(name: string, cause: unknown): unknown {
  const failure = toStoreFailure(cause);
  if (failure instanceof LendingError && failure.isRetryable) return failure;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new LendingError('STORE__MIGRATION_INVALID', {
    message: `Migration ${name} failed: ${reason}`,
    context: { migration: name },
    cause,
  });
}

function mismatch(name: string, reason: string): LendingError {
  return new LendingError('STORE__MIGRATION_MISMATCH', {
    message: `Migration ${name}: ${reason}`,
    context: { migration: name },
  });
}

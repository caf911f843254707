import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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
  /** Number of the migration that a version has to know to go on after this one; null: every version may. */
  readonly oldestVersion: string | null;
}

const NAME = /^\d{4}_[a-z0-9_]+\.sql$/;

/** How a migration says that it takes something away. Most only add, and a version that does not know them goes on beside the next. */
const OLDEST_VERSION = /^-- Versions before (\d{4}) cannot go on\.$/m;

/**
 * Whoever waits for a table that others read makes all who come after wait behind it; so a migration gives up soon and lets them pass.
 * Reads are given up after 5 s.
 */
const LOCK_TIMEOUT_MS = 1_000;
const LOCK_ATTEMPTS = 120;
const LOCK_PAUSE_MS = 1_000;
const LOCK_NOT_AVAILABLE = '55P03';

/** A server that takes a connection answers within this, or is away. */
const CONNECT_TIMEOUT_MS = 10_000;
/** How long another migration is waited for before the caller hears of it and tries again. */
const MIGRATION_LOCK_TIMEOUT_MS = 30_000;

/** Of the driver; its types do not know it. */
const ANSWER_LIMIT = { query_timeout: MIGRATION_LOCK_TIMEOUT_MS + CONNECT_TIMEOUT_MS } as object;

/** Any fixed number will do: it names the lock. */
const MIGRATION_LOCK = 7_105_551;

/**
 * Brings the tables up to date: applies, each in its own transaction, the files not applied yet. Whoever comes second waits
 * for the first and finds the work done. Tables that a newer version brought further are left as they are, unless that version said
 * that this one cannot go on with them.
 *
 * @returns the names of the files applied now.
 * @throws STORE__MIGRATION_MISMATCH when history was rewritten: an applied file changed or is gone, or a new one has a number
 * below an applied one; and when the tables belong to a version that this one cannot run beside.
 * @throws STORE__MIGRATION_INVALID when the SQL of a file fails; nothing of that file stays.
 * @throws STORE__UNAVAILABLE when the database does not answer, another migration runs for 30 s, or somebody held a table for minutes.
 */
export async function migrate(options: MigrateOptions): Promise<readonly string[]> {
  const migrations = await readMigrations(options.dir);
  const client = new pg.Client({
    connectionString: options.connectionString,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    // With limits of their own: a server that is silent does not end a statement either.
    const begin = (text: string, value: string | number) => client.query({ text, values: [value], ...ANSWER_LIMIT });
    await begin(`select set_config('lock_timeout', $1, false)`, String(MIGRATION_LOCK_TIMEOUT_MS));
    await begin('select pg_advisory_lock($1)', MIGRATION_LOCK);
    const applied = await readApplied(client);
    assertSameHistory(applied, migrations);
    const newest = applied.at(-1);
    if (newest !== undefined && applied.length > migrations.length)
      options.log?.info('store.migration.newer', { migration: newest.name });
    const pending = migrations.slice(applied.length);
    for (const migration of pending) {
      await applyInTurn(client, migration, options.log);
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
      const oldestVersion = OLDEST_VERSION.exec(sql)?.[1] ?? null;
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex'), oldestVersion };
    }),
  );
}

type Applied = Omit<Migration, 'sql'>;

async function readApplied(client: pg.Client): Promise<Applied[]> {
  // Looked for first: a user who may not create tables may still see that nothing is to be done.
  const { rowCount } = await client.query(`select where to_regclass('schema_migration') is not null`);
  if (rowCount === 0) {
    await client.query(`
      create table schema_migration (
        name text primary key,
        checksum text not null,
        applied_at timestamptz not null default now()
      )
    `);
  }
  // The column came with a migration; before it there is nothing to read.
  const { rows } = await client.query<Applied>(
    `select name, checksum, to_jsonb(applied) ->> 'oldest_version' as "oldestVersion" from schema_migration applied order by name`,
  );
  return rows;
}

/** What was applied must be the beginning of what the folder holds, file by file, or what the folder holds the beginning of that. */
function assertSameHistory(applied: readonly Applied[], migrations: readonly Migration[]): void {
  const newestKnown = migrations.at(-1)?.name.slice(0, 4) ?? '0000';
  for (const [index, { name, checksum, oldestVersion }] of applied.entries()) {
    const file = migrations[index];
    if (file?.name === name && file.checksum === checksum) continue;
    const isNewer = name.slice(0, 4) > newestKnown;
    if (isNewer && (oldestVersion ?? '') <= newestKnown) continue;
    if (file?.name === name) throw mismatch(name, 'it was changed after it was applied; restore it and add a new file');
    const isThere = migrations.some((migration) => migration.name === name);
    if (isThere && file) throw mismatch(file.name, `its number is below ${name}, which is applied already`);
    if (isNewer)
      throw mismatch(
        name,
        `the tables belong to a newer version, beside which only versions from ${oldestVersion} on can run`,
      );
    throw mismatch(name, 'it was applied and its file is gone');
  }
}

/** Applies a migration as soon as it gets the tables that it changes, letting everybody else pass in between. */
async function applyInTurn(client: pg.Client, migration: Migration, log: StoreLog | undefined): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await applyMigration(client, migration);
      return;
    } catch (error) {
      if (!isLockFailure(error) || attempt === LOCK_ATTEMPTS) throw error;
      if (attempt === 1) log?.warn('store.migration.wait', { migration: migration.name });
      await sleep(LOCK_PAUSE_MS);
    }
  }
}

function isLockFailure(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: string } };
  return cause?.code === LOCK_NOT_AVAILABLE;
}

async function applyMigration(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(`select set_config('lock_timeout', $1, true)`, [String(LOCK_TIMEOUT_MS)]);
    await client.query(migration.sql);
    await client.query('insert into schema_migration (name, checksum) values ($1, $2)', [
      migration.name,
      migration.checksum,
    ]);
    if (migration.oldestVersion !== null)
      await client.query('update schema_migration set oldest_version = $2 where name = $1', [
        migration.name,
        migration.oldestVersion,
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

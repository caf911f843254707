import { mkdtemp, readFile, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ErrorCode, isLendingError } from '@lending/errors';
import { MIGRATIONS_DIR } from '@lending/testing';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useDatabase } from '#testing/use-database.ts';
import { migrate } from './migrate.ts';

const database = useDatabase({ per: 'test' });
let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'migrations-'));
  // The database comes migrated; these tests start from the one before.
  await sql`drop schema public cascade; create schema public`.execute(database.db);
});
afterEach(() => rm(dir, { recursive: true }));

function file(name: string, text: string): Promise<void> {
  return writeFile(join(dir, name), text);
}

function run(folder = dir): Promise<readonly string[]> {
  return migrate({ connectionString: database.connectionString, dir: folder });
}

function code(expected: ErrorCode, text: RegExp): (error: unknown) => boolean {
  return (error) => isLendingError(error, expected) && text.test(error.message);
}

async function tables(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1
  `.execute(database.db);
  return rows.map(({ name }) => name);
}

describe('migrate', () => {
  it('applies the files in order, once', async () => {
    await file('0002_second.sql', 'alter table first add column later integer');
    await file('0001_first.sql', 'create table first (id integer); comment on table first is $$two statements$$');
    await file('README.md', 'not a migration');
    expect(await run()).toEqual(['0001_first.sql', '0002_second.sql']);
    expect(await run()).toEqual([]);
    await file('0003_third.sql', 'create table third ()');
    expect(await run()).toEqual(['0003_third.sql']);
    expect(await tables()).toEqual(['first', 'schema_migration', 'third']);
  });

  it('lets one of several at once work and the others wait', async () => {
    await file('0001_slow.sql', 'create table slow (id integer); select pg_sleep(0.2); insert into slow values (1)');
    const outcomes = await Promise.all([run(), run(), run()]);
    expect(outcomes.flat()).toEqual(['0001_slow.sql']);
    const { rows } = await sql`select * from slow`.execute(database.db);
    expect(rows).toHaveLength(1);
  });

  it('names the file that was changed after it was applied', async () => {
    await file('0001_first.sql', 'create table first (id integer)');
    await run();
    await file('0001_first.sql', 'create table first (id bigint)');
    await file('0002_second.sql', 'create table second ()');
    await expect(run()).rejects.toSatisfy(code('STORE__MIGRATION_MISMATCH', /0001_first\.sql.*changed/));
    expect(await tables()).not.toContain('second');
  });

  it('names the file that is gone', async () => {
    await file('0001_first.sql', 'create table first ()');
    await file('0002_second.sql', 'create table second ()');
    await run();
    await unlink(join(dir, '0001_first.sql'));
    await expect(run()).rejects.toSatisfy(code('STORE__MIGRATION_MISMATCH', /0001_first\.sql.*gone/));
  });

  it('goes on with tables that a newer version brought further', async () => {
    await file('0001_first.sql', 'create table first ()');
    await file('0002_second.sql', 'alter table first add column later integer');
    await run();
    await unlink(join(dir, '0002_second.sql'));
    expect(await run()).toEqual([]);
  });

  it('stops before tables that a newer version took something from, and says who can go on', async () => {
    await file('0001_first.sql', 'create table first (old integer)');
    await file('0002_second.sql', 'alter table first add column new integer');
    await file('0003_third.sql', 'alter table schema_migration add column oldest_version text');
    await file('0004_fourth.sql', '-- Versions before 0002 cannot go on.\nalter table first drop column old');
    await run();
    await unlink(join(dir, '0004_fourth.sql'));
    await unlink(join(dir, '0003_third.sql'));
    expect(await run()).toEqual([]);
    await unlink(join(dir, '0002_second.sql'));
    await expect(run()).rejects.toSatisfy(
      code('STORE__MIGRATION_MISMATCH', /0004_fourth\.sql.*newer version.*from 0002 on/),
    );
  });

  it('lets others pass while somebody holds the table that it wants to change', async () => {
    await file('0001_first.sql', 'create table first (id integer)');
    await run();
    await file('0002_second.sql', 'alter table first add column later integer');
    const holder = new pg.Client({ connectionString: database.connectionString });
    await holder.connect();
    const events: string[] = [];
    const note = (event: string) => void events.push(event);
    try {
      await holder.query('begin; select from first');
      const migrating = migrate({ connectionString: database.connectionString, dir, log: { info: note, warn: note } });
      await expect.poll(() => events).toEqual(['store.migration.wait']);
      // It would wait behind a migration that waits, and with it everybody who reads.
      await sql`set statement_timeout = '5s'; select from first`.execute(database.db);
      await holder.query('commit');
      expect(await migrating).toEqual(['0002_second.sql']);
      expect(events).toEqual(['store.migration.wait', 'store.migration.applied']);
    } finally {
      await holder.end();
    }
  });

  it('refuses a number that was passed already, and a number used twice', async () => {
    await file('0002_second.sql', 'create table second ()');
    await run();
    await file('0001_first.sql', 'create table first ()');
    await expect(run()).rejects.toSatisfy(code('STORE__MIGRATION_MISMATCH', /0001_first\.sql.*below 0002_second/));
    await unlink(join(dir, '0001_first.sql'));
    await file('0002_too.sql', 'create table too ()');
    await expect(run()).rejects.toSatisfy(code('STORE__MIGRATION_MISMATCH', /0002_too\.sql.*taken/));
  });

  it('keeps nothing of a file that fails, and goes on from there when it is mended', async () => {
    await file('0001_first.sql', 'create table first ()');
    await file('0002_second.sql', 'create table second (); create table first ()');
    await expect(run()).rejects.toSatisfy(code('STORE__MIGRATION_INVALID', /0002_second\.sql.*already exists/));
    expect(await tables()).toEqual(['first', 'schema_migration']);
    await file('0002_second.sql', 'create table second ()');
    expect(await run()).toEqual(['0002_second.sql']);
  });

  it('keeps nothing of a file that cannot be put on record', async () => {
    await file(
      '0001_first.sql',
      `create table first (); insert into schema_migration values ('0001_first.sql', 'forged')`,
    );
    await expect(run()).rejects.toSatisfy(code('STORE__MIGRATION_INVALID', /0001_first\.sql.*duplicate key/));
    expect(await tables()).toEqual(['schema_migration']);
  });

  it('says that the database is away', async () => {
    const nowhere = migrate({ connectionString: 'postgres://lending:x@127.0.0.1:1/lending', dir });
    await expect(nowhere).rejects.toSatisfy(code('STORE__UNAVAILABLE', /./));
  });

  it('brings an empty database to the schema that is on record', async () => {
    expect(await run(MIGRATIONS_DIR)).not.toEqual([]);
    const record = await readFile(join(MIGRATIONS_DIR, 'schema.sql'), 'utf8');
    for (const table of await tables()) expect(record).toContain(`create table ${table} (`);
  });
});

import { setTimeout } from 'node:timers/promises';
import { isLendingError } from '@lending/errors';
import { openLink } from '@lending/testing';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { useDatabase } from '#testing/use-database.ts';
import { createStore } from './create-store.ts';

const database = useDatabase();
const isUnavailable = (error: unknown): boolean => isLendingError(error, 'STORE__UNAVAILABLE');

describe('createStore', () => {
  it('reads int8 as a bigint, numeric as text and timestamptz as a Date', async () => {
    const { rows } = await sql`
      select 9223372036854775807::int8 as wide, 0.1::numeric as exact, '2026-11-21T10:00:00Z'::timestamptz as at
    `.execute(database.db);
    expect(rows).toEqual([{ wide: 9223372036854775807n, exact: '0.1', at: new Date('2026-11-21T10:00:00Z') }]);
  });

  it('says that the database is away', async () => {
    const store = createStore({ connectionString: 'postgres://lending:x@127.0.0.1:1/lending' });
    await expect(store.ping()).rejects.toSatisfy(isUnavailable);
    await store.close();
  });

  it('goes on with another connection after one was cut in the middle', async () => {
    const store = createStore({ connectionString: database.connectionString, poolSize: 1 });
    await expect(sql`select pg_terminate_backend(pg_backend_pid())`.execute(store.db)).rejects.toSatisfy(isUnavailable);
    await store.ping();
    await store.close();
  });

  it('goes on after idle connections were cut', async () => {
    const store = createStore({ connectionString: database.connectionString });
    await store.ping();
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(
      database.db,
    );
    await expect
      .poll(() =>
        store.ping().then(
          () => 'up',
          () => 'down',
        ),
      )
      .toBe('up');
    await store.close();
  });

  it('says once that its idle connections were lost, and again when that happens later', async () => {
    const lines: string[] = [];
    const log = { info: () => undefined, warn: (event: string) => void lines.push(event) };
    const store = createStore({ connectionString: database.connectionString, poolSize: 4, log });
    const cut = () =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(
        database.db,
      );
    for (const times of [1, 2]) {
      await Promise.all([1, 2, 3, 4].map(() => sql`select pg_sleep(0.1)`.execute(store.db)));
      expect(store.connections()).toEqual({ most: 4, busy: 0, idle: 4, waiting: 0 });
      await cut();
      await expect.poll(() => store.connections().idle).toBe(0);
      expect(lines).toEqual(Array.from({ length: times }, () => 'store.connection.lost'));
    }
    await store.close();
  });

  it('counts its connections, and what waits for one', async () => {
    const store = createStore({ connectionString: database.connectionString, poolSize: 2 });
    expect(store.connections()).toEqual({ most: 2, busy: 0, idle: 0, waiting: 0 });
    const asked = Promise.all([1, 2, 3].map(() => sql`select pg_sleep(1.5)`.execute(store.db)));
    await expect.poll(() => store.connections(), { interval: 5 }).toEqual({ most: 2, busy: 2, idle: 0, waiting: 1 });
    await asked;
    expect(store.connections()).toMatchObject({ busy: 0, waiting: 0 });
    await store.close();
  });

  it('fails the transaction whose connection was cut between two statements', async () => {
    const cut = database.db.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction);
      await sql`select pg_terminate_backend(${rows[0]?.pid}, 5000)`.execute(database.db);
      await setTimeout(50);
      await sql`select 1`.execute(transaction);
    });
    await expect(cut).rejects.toSatisfy(isUnavailable);
    await database.store.ping();
  });

  it('makes the server give a statement up that takes too long', async () => {
    const store = createStore({ connectionString: database.connectionString, statementTimeoutMs: 50 });
    const slow = sql`select pg_sleep(5)`.execute(store.db);
    await expect(slow).rejects.toMatchObject({ code: 'STORE__UNAVAILABLE', cause: { code: '57014' } });
    await store.close();
  });

  it('gives up what the database does not answer, once the process stops, and ends', async () => {
    const url = new URL(database.connectionString);
    const link = await openLink({ to: Number(url.port) });
    url.port = String(link.port);
    const stopping = new AbortController();
    const store = createStore({
      connectionString: url.href,
      poolSize: 2,
      statementTimeoutMs: 600_000,
      stopping: stopping.signal,
    });
    await store.ping();
    link.pause();
    const asked = [1, 2, 3].map(() => expect(sql`select 1`.execute(store.db)).rejects.toSatisfy(isUnavailable));
    stopping.abort();
    await Promise.all(asked);
    await expect(store.ping()).rejects.toSatisfy(isUnavailable);
    await store.close();
    await link.close();
  });

  it('frees the locks of a transaction that hangs', async () => {
    const store = createStore({ connectionString: database.connectionString, statementTimeoutMs: 2_000 });
    const locked = Promise.withResolvers<void>();
    const freed = Promise.withResolvers<void>();
    const hanging = store.db.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(42)`.execute(transaction);
      locked.resolve();
      await freed.promise;
      await sql`select 1`.execute(transaction);
    });
    hanging.catch(() => undefined);
    await locked.promise;
    const { rows } = await sql<{ free: boolean }>`select pg_try_advisory_lock(42) as free`.execute(database.db);
    expect(rows[0]?.free).toBe(false);
    // Waits for it.
    await sql`select pg_advisory_xact_lock(42)`.execute(database.db);
    freed.resolve();
    await expect(hanging).rejects.toSatisfy(isUnavailable);
    await store.close();
  });

  it('leaves a wrong statement to whoever wrote it', async () => {
    await expect(sql`select nonsense`.execute(database.db)).rejects.toMatchObject({ code: '42703' });
  });

  it('can be closed twice', async () => {
    const store = createStore({ connectionString: database.connectionString });
    await store.ping();
    await Promise.all([store.close(), store.close()]);
    expect(
      await store.ping().then(
        () => 'up',
        () => 'closed',
      ),
    ).toBe('closed');
  });
});

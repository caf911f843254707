import { sql } from 'kysely';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { useDatabase } from '#testing/use-database.ts';
import { createLeaderLock, type LeaderLock, type LeaderLockOptions } from './leader-lock.ts';
import { startTcpProxy } from './testing/tcp-proxy.ts';

const until = (check: () => void | Promise<void>, timeout = 120_000) => vi.waitFor(check, { timeout, interval: 10 });
const UNREACHABLE = 'postgres://nobody@127.0.0.1:1/nothing';

describe('createLeaderLock', () => {
  const database = useDatabase({ per: 'test' });
  const closers: (() => Promise<void>)[] = [];

  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  function contend(options: Partial<LeaderLockOptions> = {}): LeaderLock {
    const { connectionString } = database;
    const lock = createLeaderLock({ connectionString, name: 'poller', retryMs: 20, heartbeatMs: 20, ...options });
    closers.push(() => lock.stop());
    return lock;
  }

  async function proxied() {
    const proxy = await startTcpProxy(database.connectionString);
    closers.push(() => proxy.close());
    return proxy;
  }

  it('lets one of several lead, and tells the others that one does', async () => {
    const locks = Array.from({ length: 5 }, () => contend());
    await until(() => expect(locks.every(({ state }) => state !== 'unknown')).toBe(true));
    expect(locks.map(({ state }) => state).sort()).toEqual(['leading', ...Array(4).fill('standby')]);
    expect(locks.filter(({ state }) => state === 'leading')).toHaveLength(1);
  });

  it('lets another lead as soon as the leader stops', async () => {
    const first = contend();
    await first.untilLeading(AbortSignal.timeout(120_000));
    const second = contend();
    await until(() => expect(second.state).toBe('standby'));
    const waiting = second.untilLeading(AbortSignal.timeout(120_000));
    await first.stop();
    await waiting;
    expect(second.state).toBe('leading');
  });

  it('keeps different names apart', async () => {
    const [first, second] = [contend(), contend({ name: 'other' })];
    await Promise.all([first, second].map((lock) => lock.untilLeading(AbortSignal.timeout(120_000))));
  });

  it('leads on while its session is lost and nobody else leads', async () => {
    const proxy = await proxied();
    const lock = contend({ connectionString: proxy.connectionString });
    await lock.untilLeading(AbortSignal.timeout(120_000));
    const states = new Set<string>();
    const watching = setInterval(() => states.add(lock.state), 1);
    proxy.cut();
    await until(async () => expect(await holdersOf(database.db)).toEqual([]));
    proxy.restore();
    await until(async () => expect(await holdersOf(database.db)).toHaveLength(1));
    await new Promise((resolve) => setTimeout(resolve, 100));
    clearInterval(watching);
    expect([...states]).toEqual(['leading']);
  });

  it('takes its lock back from a session of its own that the server still believes in', async () => {
    const proxy = await proxied();
    const lock = contend({ connectionString: proxy.connectionString });
    await lock.untilLeading(AbortSignal.timeout(120_000));
    const [before] = await holdersOf(database.db);
    // The server is not told: its side of the connection stays open, with the lock.
    proxy.dropClients();
    await until(async () => {
      const [now] = await holdersOf(database.db);
      expect(now).toBeDefined();
      expect(now).not.toBe(before);
    });
    expect(lock.state).toBe('leading');
    const other = contend();
    await until(() => expect(other.state).toBe('standby'));
    expect(lock.state).toBe('leading');
  });

  it('takes its lock again at once when the server ends its session, before a stand-by looks', async () => {
    const slow = { retryMs: 60_000 };
    const first = contend(slow);
    await first.untilLeading(AbortSignal.timeout(120_000));
    const [before] = await holdersOf(database.db);
    await sql`select pg_terminate_backend(${before})`.execute(database.db);
    await until(async () => {
      const [now] = await holdersOf(database.db);
      expect(now).toBeDefined();
      expect(now).not.toBe(before);
    });
    expect(first.state).toBe('leading');
  });

  it('stands by once it learns that another took over while it was cut off', async () => {
    const proxy = await proxied();
    const first = contend({ connectionString: proxy.connectionString });
    await first.untilLeading(AbortSignal.timeout(120_000));
    const second = contend();
    await until(() => expect(second.state).toBe('standby'));
    proxy.cut();
    await second.untilLeading(AbortSignal.timeout(120_000));
    // Nobody told the first one yet: two lead.
    expect(first.state).toBe('leading');
    proxy.restore();
    await until(() => expect(first.state).toBe('standby'));
    expect(second.state).toBe('leading');
  });

  it('leads no longer than the server waits for a leader that says nothing', async () => {
    const proxy = await proxied();
    const hanging = contend({ connectionString: proxy.connectionString, heartbeatMs: 60_000, sessionTimeoutMs: 300 });
    await hanging.untilLeading(AbortSignal.timeout(120_000));
    proxy.silence();
    const other = contend();
    await other.untilLeading(AbortSignal.timeout(120_000));
  });

  it('does not lead before the database has answered, and says once why', async () => {
    const said: unknown[] = [];
    const log = { info: () => undefined, warn: (event: string, fields: object) => void said.push([event, fields]) };
    const lock = contend({ connectionString: UNREACHABLE, log });
    const given = AbortSignal.timeout(200);
    await expect(lock.untilLeading(given)).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(lock.state).toBe('unknown');
    expect(said).toEqual([['store.leader.unsure', expect.objectContaining({ lock: 'poller', state: 'unknown' })]]);
  });

  it('stops while it waits for a server that is silent', async () => {
    const proxy = await proxied();
    proxy.silence();
    const lock = contend({ connectionString: proxy.connectionString });
    await new Promise((resolve) => setTimeout(resolve, 50));
    const startMs = performance.now();
    await lock.stop();
    expect(performance.now() - startMs).toBeLessThan(25_000);
  });
});

/** Server processes that hold a lock of this database. */
async function holdersOf(db: ReturnType<typeof useDatabase>['db']): Promise<readonly number[]> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_locks join pg_database on pg_database.oid = database
    where locktype = 'advisory' and granted and datname = current_database()
  `.execute(db);
  return rows.map(({ pid }) => pid);
}

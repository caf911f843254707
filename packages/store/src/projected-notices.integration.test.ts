import { openLink } from '@lending/testing';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { useDatabase } from '#testing/use-database.ts';
import { listenProjected, type ProjectedListener } from './listen-projected.ts';
import { notifyProjected } from './notify-projected.ts';

const until = (check: () => void) => vi.waitFor(check, { timeout: 120_000, interval: 5 });

const database = useDatabase({ per: 'test' });
let listener: ProjectedListener | undefined;

afterEach(async () => {
  await listener?.stop();
  listener = undefined;
});

async function listen(): Promise<{ heard: string[]; begun: () => number }> {
  const heard: string[] = [];
  let begun = 0;
  listener = listenProjected({
    connectionString: database.connectionString,
    onProjected: ({ topic }) => heard.push(topic),
    onListening: () => {
      begun += 1;
    },
  });
  await until(() => expect(begun).toBe(1));
  return { heard, begun: () => begun };
}

function tell(topic: string): Promise<void> {
  return database.db.transaction().execute((transaction) => notifyProjected(transaction, { topic }));
}

function cutListener(): Promise<unknown> {
  return sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'listen%' and pid <> pg_backend_pid()
  `.execute(database.db);
}

describe('notifyProjected and listenProjected', () => {
  it('tells when the transaction commits', async () => {
    const { heard } = await listen();
    await tell('rate.sampled.v1');
    await until(() => expect(heard).toEqual(['rate.sampled.v1']));
  });

  it('names the keys where they are few, each once', async () => {
    const notices: unknown[] = [];
    const begun = vi.fn();
    listener = listenProjected({
      connectionString: database.connectionString,
      onProjected: (notice) => notices.push(notice),
      onListening: begun,
    });
    await until(() => expect(begun).toHaveBeenCalled());
    const keys = Array.from({ length: 65 }, (_, nth) => `${'1'.repeat(42)}${nth}`);
    const topic = 'account.updated.v1';
    for (const named of [['b', 'a', 'b'], keys.slice(1), keys]) {
      await database.db.transaction().execute((transaction) => notifyProjected(transaction, { topic, keys: named }));
    }
    await tell(topic);
    await until(() =>
      expect(notices).toEqual([
        { topic, keys: ['b', 'a'] },
        { topic, keys: keys.slice(1) },
        { topic, keys: null },
        { topic, keys: null },
      ]),
    );
  });

  it('tells nothing of a transaction that is rolled back', async () => {
    const { heard } = await listen();
    const undone = database.db.transaction().execute(async (transaction) => {
      await notifyProjected(transaction, { topic: 'rate.sampled.v1' });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await tell('bank.updated.v1');
    await until(() => expect(heard).toEqual(['bank.updated.v1']));
  });

  it('listens again by itself after its connection is cut, and says that it may have missed something', async () => {
    const { heard, begun } = await listen();
    await cutListener();
    await tell('rate.sampled.v1');
    await until(() => expect(begun()).toBe(2));
    await tell('oracle.priced.v1');
    await until(() => expect(heard.at(-1)).toBe('oracle.priced.v1'));
  });

  it('hears nothing after it was stopped', async () => {
    const { heard } = await listen();
    await listener?.stop();
    await tell('rate.sampled.v1');
    const { rows } =
      await sql`select from pg_stat_activity where datname = current_database() and query like 'listen%'`.execute(
        database.db,
      );
    expect(rows).toEqual([]);
    expect(heard).toEqual([]);
  });

  it('stops while it cannot connect', async () => {
    const onListening = vi.fn();
    const connectionString = 'postgres://lending:x@127.0.0.1:1/lending';
    const unreachable = listenProjected({ connectionString, onProjected: () => undefined, onListening });
    await unreachable.stop();
    expect(onListening).not.toHaveBeenCalled();
  });

  it('stops while it connects to a server that says nothing', async () => {
    const url = new URL(database.connectionString);
    const link = await openLink({ to: Number(url.port) });
    url.port = String(link.port);
    link.pause();
    const waiting = new pg.Client({ connectionString: url.href, connectionTimeoutMillis: 5_000 }).connect();
    const { stop } = listenProjected({
      connectionString: url.href,
      onProjected: () => undefined,
      onListening: () => undefined,
    });
    const first = await Promise.race([stop().then(() => 'stopped'), waiting.catch(() => 'waited for the server')]);
    expect(first).toBe('stopped');
    await link.close();
    await waiting.catch(() => undefined);
  });
});

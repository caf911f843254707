import { NAMED_HANG } from '@lending/testing';
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { useDatabase } from '#testing/use-database.ts';
import { insertAccessToken } from './access-tokens.ts';
import {
  addNamedEntry,
  addUnnamedEntry,
  type EntryWrite,
  listConversationEntries,
  type UnnamedEntry,
} from './conversation-entries.ts';
import {
  type ConversationPlace,
  createConversation,
  deleteConversation,
  deleteOldConversations,
  listConversations,
  readConversation,
  renameConversation,
} from './conversations.ts';
import { addReplayedRows, beginReplayedRows, removeReplayedRows } from './replayed-rows.ts';

const database = useDatabase({ per: 'test' });
const BOUNDS = { most: 100, mostEntries: 100 };
const NOBODYS = '00000000-0000-4000-8000-000000000000';
let caller = '';
let other = '';

async function newCaller(name: string): Promise<string> {
  await database.db
    .transaction()
    .execute((transaction) => insertAccessToken(transaction, { caller: name, hash: Buffer.from(name) }));
  const { rows } = await sql<{ id: string }>`select id from caller where name = ${name}`.execute(database.db);
  return rows[0]?.id ?? '';
}
beforeEach(async () => {
  caller = await newCaller('one');
  other = await newCaller('other');
});

const entry = (changes: Partial<EntryWrite> = {}): EntryWrite => ({
  door: 'mcp',
  tool: 'svc_get_banks',
  arguments: { symbol: 'SOL' },
  outcome: 'ok',
  code: null,
  ...changes,
});
const open = (changes: { caller?: string; title?: string | null; client?: string | null } = {}, most = 100) =>
  createConversation(database.db, { caller, title: null, client: null, ...changes }, most);
const say = (changes: Partial<UnnamedEntry['conversation']> = {}, bounds = BOUNDS) =>
  addUnnamedEntry(
    database.db,
    {
      conversation: { caller, client: 'agent 1', title: 'Banks', ...changes },
      entry: entry(),
      idleMs: 1_800_000,
    },
    bounds,
  );
const sayIn = (conversation: string, changes: Partial<EntryWrite> = {}, of = caller, bounds = BOUNDS) =>
  addNamedEntry(database.db, { caller: of, conversation, title: 'Banks', entry: entry(changes) }, bounds);
const list = (limit = 10, after: ConversationPlace | null = null, of = caller) =>
  listConversations(database.db, { caller: of, after, limit });
const entriesOf = (conversation: string, limit = 100, before: number | null = null) =>
  listConversationEntries(database.db, { conversation, before, limit });
/** As if everything had happened so much earlier. */
const passTime = (seconds: number) =>
  sql`
    with entries as (update conversation_entry set time = time - make_interval(secs => ${seconds}))
    update conversation
    set created_at = created_at - make_interval(secs => ${seconds}), updated_at = updated_at - make_interval(secs => ${seconds})
  `.execute(database.db);

describe('addUnnamedEntry', () => {
  it('opens one conversation for all calls of a client that come at once', async () => {
    // Connections that are open already: else the first one has said all before the second is there.
    await Promise.all(Array.from({ length: 10 }, () => list()));
    for (let round = 1; round <= 20; round += 1) {
      const client = `agent of round ${round}`;
      expect(new Set(await Promise.all(Array.from({ length: 10 }, () => say({ client })))).size).toBe(1);
    }
  });

  it('numbers and times entries in one order, though they come at once', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => say()));
    const [conversation, ...rest] = await list();
    expect(rest).toEqual([]);
    expect(conversation).toMatchObject({ id: ids[0], title: 'Banks', client: 'agent 1', entry_count: 12 });
    const entries = await entriesOf(ids[0] ?? '');
    expect(entries.map(({ number }) => number)).toEqual(Array.from({ length: 12 }, (_, index) => 12 - index));
    const times = entries.map(({ time }) => time.getTime());
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(conversation?.updated_at).toEqual(entries[0]?.time);
  });

  it('keeps clients, and those that do not say who they are, and callers apart', async () => {
    const ids = [
      await say(),
      await say({ client: 'agent 2' }),
      await say({ client: null }),
      await say({ caller: other }),
      await say({ caller: other, client: null }),
    ];
    expect(new Set(ids).size).toBe(5);
    expect(await say({ client: null })).toBe(ids[2]);
    expect(await say()).toBe(ids[0]);
  });

  it('goes on until nothing was said for half an hour, by the clock of the database', async () => {
    const first = await say();
    await passTime(1_799);
    expect(await say()).toBe(first);
    await passTime(1_799);
    expect(await say()).toBe(first);
    await passTime(1_801);
    const second = await say();
    expect(second).not.toBe(first);
    expect(await say()).toBe(second);
  });

  it('goes on with none that was opened by name, or that was deleted', async () => {
    const named = await open({ client: 'agent 1' });
    const first = await say();
    expect(first).not.toBe(named.id);
    await deleteConversation(database.db, { caller, id: first });
    expect(await say()).not.toBe(first);
    expect(await entriesOf(first)).toEqual([]);
  });

  it('keeps the newest entries, and the newest conversations', async () => {
    const bounds = { most: 2, mostEntries: 3 };
    const id = await say({}, bounds);
    for (let n = 2; n <= 5; n += 1) await say({}, bounds);
    expect((await entriesOf(id)).map(({ number }) => number)).toEqual([5, 4, 3]);
    expect(await readConversation(database.db, { caller, id })).toMatchObject({ entry_count: 3 });
    const second = await say({ client: 'agent 2' }, bounds);
    const foreign = await say({ caller: other }, bounds);
    const third = await say({ client: 'agent 3' }, bounds);
    expect((await list()).map((row) => row.id)).toEqual([third, second]);
    const fourth = await open({}, 2);
    expect((await list()).map((row) => row.id)).toEqual([fourth.id, third]);
    expect(await entriesOf(id)).toEqual([]);
    expect((await list(10, null, other)).map((row) => row.id)).toEqual([foreign]);
  });
});

describe('addNamedEntry', () => {
  it('adds to what its caller opened, gives a title where there is none, and tells the time of the newest', async () => {
    const { id, ...opened } = await open();
    expect(opened).toMatchObject({ title: null, client: null, entry_count: 0 });
    expect(opened.updated_at).toEqual(opened.created_at);
    await passTime(7_200);
    expect(await sayIn(id, { outcome: 'error', code: 'INVALID_ARGUMENT', arguments: {} })).toBe(true);
    const row = await readConversation(database.db, { caller, id });
    expect(row).toMatchObject({ title: 'Banks', entry_count: 1 });
    expect(await entriesOf(id)).toEqual([
      {
        conversation: id,
        number: 1,
        time: row?.updated_at,
        door: 'mcp',
        tool: 'svc_get_banks',
        arguments: {},
        outcome: 'error',
        code: 'INVALID_ARGUMENT',
      },
    ]);
    const titled = await open({ title: 'Mine' });
    await sayIn(titled.id);
    expect(await readConversation(database.db, { caller, id: titled.id })).toMatchObject({ title: 'Mine' });
  });

  it('adds to nothing of anybody else', async () => {
    const { id } = await open();
    expect(await sayIn(id, {}, other)).toBe(false);
    expect(await sayIn(NOBODYS)).toBe(false);
    expect(await entriesOf(id)).toEqual([]);
    expect(await readConversation(database.db, { caller, id })).toMatchObject({ entry_count: 0 });
  });

  it('pages entries from the newest, whatever is said meanwhile', async () => {
    const { id } = await open();
    for (let n = 1; n <= 5; n += 1) await sayIn(id);
    const first = await entriesOf(id, 2);
    await sayIn(id);
    const rest = await entriesOf(id, 10, first.at(-1)?.number ?? 0);
    expect([...first, ...rest].map(({ number }) => number)).toEqual([5, 4, 3, 2, 1]);
  });
});

describe('conversations of others', () => {
  it('are not there', async () => {
    const { id } = await open({ title: 'Mine' });
    const foreign = { caller: other, id };
    expect(await readConversation(database.db, foreign)).toBeNull();
    expect(await renameConversation(database.db, foreign, 'Yours')).toBeNull();
    expect(await deleteConversation(database.db, foreign)).toBe(false);
    expect(await list(10, null, other)).toEqual([]);
    expect(await readConversation(database.db, { caller, id })).toMatchObject({ title: 'Mine' });
  });
});

describe('a replay', () => {
  it('leaves callers, tokens and conversations alone', async () => {
    await say();
    const kept = async () => {
      const tables = ['caller', 'access_token', 'conversation', 'conversation_entry'] as const;
      return Promise.all(tables.map((table) => database.db.selectFrom(table).selectAll().execute()));
    };
    const before = await kept();
    await database.db.transaction().execute(async (transaction) => {
      await beginReplayedRows(transaction);
      await addReplayedRows(transaction, [{ topic: 'rate.sampled.v1', address: 'bank', slot: 1n }]);
      await removeReplayedRows(transaction);
    });
    expect(await kept()).toEqual(before);
    expect(before.map((rows) => rows.length)).toEqual([2, 2, 1, 1]);
  });
});

describe('renameConversation', () => {
  it('leaves it where it stands', async () => {
    const { id } = await open();
    await passTime(60);
    const newer = await open();
    const renamed = await renameConversation(database.db, { caller, id }, 'New');
    expect(renamed).toMatchObject({ id, title: 'New' });
    expect((await list()).map((row) => row.id)).toEqual([newer.id, id]);
  });
});

describe('listConversations', () => {
  it('lists those with the newest entry first, those of one time by id', async () => {
    const ids = [(await open()).id, (await open()).id, (await open()).id];
    await sql`update conversation set updated_at = '2025-11-22T10:00:00Z', created_at = '2025-11-22T10:00:00Z'`.execute(
      database.db,
    );
    const newest = (await open()).id;
    expect((await list()).map(({ id }) => id)).toEqual([newest, ...ids.sort()]);
  });

  it('leaves none out and shows none twice, whatever is said, renamed or opened between pages', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 1, max: 3 }),
        fc.array(fc.tuple(fc.constantFrom('say', 'rename', 'open'), fc.nat(30)), { maxLength: 12 }),
        async (count, limit, changes) => {
          await sql`delete from conversation`.execute(database.db);
          const rows = [];
          for (let n = 0; n < count; n += 1) {
            rows.push(await open());
            if (n % 2 === 0) await sayIn(rows[n]?.id ?? '');
            await passTime(n % 3);
          }
          const expected = (await list(100)).map(({ id }) => id);
          const coming = [...changes];
          const seen: string[] = [];
          let page = await list(limit);
          for (;;) {
            seen.push(...page.map(({ id }) => id));
            const last = page.at(-1);
            if (last === undefined || page.length < limit) break;
            // A moment is a millisecond: what happens within the one of the list is on neither side of it.
            await sql`select pg_sleep(0.002)`.execute(database.db);
            for (const [what, which] of coming.splice(0, 4)) {
              const id = rows[which % count]?.id ?? '';
              if (what === 'say') await sayIn(id);
              if (what === 'rename') await renameConversation(database.db, { caller, id }, 'other');
              if (what === 'open') await open();
            }
            page = await list(limit, last.place);
          }
          expect(seen).toEqual(expected);
        },
      ),
      { numRuns: 40, ...NAMED_HANG },
    );
  });
});

describe('deleteOldConversations', () => {
  it('deletes what nobody went on with, with its entries, and nothing else', async () => {
    const old = await say();
    for (let n = 0; n < 120; n += 1) await open({ caller: other }, 1_000);
    await passTime(10 * 86_400 + 5);
    const kept = await say();
    expect(await deleteOldConversations(database.db, 11)).toBe(0);
    expect(await deleteOldConversations(database.db, 10)).toBe(121);
    expect((await list()).map(({ id }) => id)).toEqual([kept]);
    expect(await entriesOf(old)).toEqual([]);
  });
});

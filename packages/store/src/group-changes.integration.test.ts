import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MIGRATIONS_DIR } from '@lending/testing';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { accountState } from '#testing/rows.ts';
import { useDatabase } from '#testing/use-database.ts';
import { type GroupChangeWrite, insertGroupChanges } from './insert-group-changes.ts';
import { type GroupChangePage, listGroupChanges } from './list-group-changes.ts';
import { migrate } from './migrate.ts';
import { listUnfinalSlots } from './read-progress.ts';
import { dropSlots, finalizeSlots } from './record-slot-finality.ts';
import { recordTagChanges } from './record-tag-changes.ts';
import { addReplayedRows, beginReplayedRows, removeReplayedRows } from './replayed-rows.ts';
import { type AccountWrite, upsertAccounts } from './upsert-accounts.ts';

const database = useDatabase({ per: 'test' });
const START_MS = Date.parse('2026-11-21T10:00:00Z');
const timeOf = (slot: number | bigint) => new Date(START_MS + Number(slot) * 1_000);

function change(id: string, slot: number, fields: Partial<GroupChangeWrite> = {}): GroupChangeWrite {
  return {
    id,
    slot: BigInt(slot),
    time: timeOf(slot).toISOString(),
    kind: 'breaker_trip',
    address: 'bank',
    actor: 'payer',
    finality: 'confirmed',
    detail: { tier: 2, deviationBps: '18446744073709551615' },
    ...fields,
  };
}

const write = (...changes: readonly GroupChangeWrite[]): Promise<void> =>
  database.db.transaction().execute((transaction) => insertGroupChanges(transaction, changes));
const drop = (...slots: readonly bigint[]): Promise<void> =>
  database.db.transaction().execute((transaction) => dropSlots(transaction, slots));
const read = (page: Partial<GroupChangePage> = {}) => listGroupChanges(database.db, { limit: 100, ...page });
const ids = async (page: Partial<GroupChangePage> = {}) => (await read(page)).map(({ id, slot }) => `${id}@${slot}`);

describe('insertGroupChanges and listGroupChanges', () => {
  it('gives every field back, exact, once', async () => {
    await write(change('a', 7), change('a', 7));
    await write(change('a', 7, { detail: { tier: 1 } }));
    expect(await read()).toEqual([
      {
        id: 'a',
        slot: 7n,
        time: timeOf(7),
        finality: 'confirmed',
        kind: 'breaker_trip',
        address: 'bank',
        actor: 'payer',
        detail: { tier: 2, deviationBps: '18446744073709551615' },
      },
    ]);
  });

  it('filters by address, kind and time, and pages on before a place', async () => {
    await write(
      change('a', 1),
      change('b', 2, { kind: 'premium_rate', address: 'group' }),
      change('c', 3, { kind: 'premium_tag' }),
      change('d', 3, { address: 'another' }),
    );
    expect(await ids()).toEqual(['d@3', 'c@3', 'b@2', 'a@1']);
    expect(await ids({ addresses: ['bank', 'group'] })).toEqual(['c@3', 'b@2', 'a@1']);
    expect(await ids({ kinds: ['premium_rate', 'premium_tag'] })).toEqual(['c@3', 'b@2']);
    expect(await ids({ since: timeOf(2), until: timeOf(3) })).toEqual(['b@2']);
    expect(await ids({ before: { slot: 3n, id: 'd' }, limit: 2 })).toEqual(['c@3', 'b@2']);
  });

  it('finds by time what is dated by a clock that is behind the blocks', async () => {
    const tag = { kind: 'liquidation_tag', address: 'account' };
    await write(change('a', 10), change('b', 12), change('t', 13, { ...tag, time: timeOf(11).toISOString() }));
    await write(change('s', 20, { ...tag, time: timeOf(9).toISOString() }), change('c', 14));
    expect(await ids({ since: timeOf(11), until: timeOf(14) })).toEqual(['t@13', 'b@12']);
    expect(await ids({ since: timeOf(12), kinds: ['breaker_trip', 'liquidation_tag', 'breaker_trip'] })).toEqual([
      'c@14',
      'b@12',
    ]);
    expect(await ids({ until: timeOf(10), addresses: ['bank', 'account'] })).toEqual(['s@20']);
    expect(await ids({ addresses: ['bank', 'account', 'bank'], limit: 2 })).toEqual(['s@20', 'c@14']);
  });

  it('takes back what was in a dropped slot, refuses the rest of it, and counts the later of two slots', async () => {
    await write(change('a', 1), change('a', 2), change('b', 2), change('c', 3, { finality: 'finalized' }));
    expect(await ids()).toEqual(['c@3', 'b@2', 'a@2']);
    await drop(2n);
    await write(change('b', 2));
    expect(await ids()).toEqual(['c@3', 'a@1']);
    expect(await listUnfinalSlots(database.db)).toEqual([1n]);
    await database.db.transaction().execute((transaction) => finalizeSlots(transaction, [1n]));
    expect((await read()).map(({ finality }) => finality)).toEqual(['finalized', 'finalized']);
  });
});

/** All orders of the values, theirs first and the opposite last. */
function permutations<V>(values: readonly V[]): readonly (readonly V[])[] {
  if (values.length === 0) return [[]];
  return values.flatMap((value, nth) => permutations(values.toSpliced(nth, 1)).map((rest) => [value, ...rest]));
}

describe('recordTagChanges', () => {
  /** An account as of a slot: tagged since then, not tagged, or gone. */
  function seen(slot: number, tag: string | null | 'gone', fields: Partial<AccountWrite> = {}): AccountWrite {
    return {
      address: 'account',
      state: tag === 'gone' ? null : accountState({ liquidationTaggedAt: tag }),
      source: 'chain',
      slot: BigInt(slot),
      writeVersion: null,
      slotTime: timeOf(slot).toISOString(),
      ...fields,
    };
  }
  const project = (...writes: readonly AccountWrite[]): Promise<void> =>
    database.db.transaction().execute(async (transaction) => {
      await recordTagChanges(transaction, writes);
      await upsertAccounts(transaction, writes);
    });
  const tags = async () => (await read()).map(({ slot, detail }) => `${slot} ${detail.taggedAt}`).reverse();

  it('adds each change of the tag and nothing else, in one batch or in many', async () => {
    const story = [seen(1, null), seen(2, '50'), seen(3, '50'), seen(4, '90'), seen(5, null), seen(6, null)];
    const changes = ['2 50', '4 90', '5 null'];
    await project(...story);
    expect(await tags()).toEqual(changes);
    await project(...story);
    expect(await tags()).toEqual(changes);
    await project(...story.map((row) => ({ ...row, address: 'other' })));
    for (const row of story) await project({ ...row, address: 'third' });
    const rows = await read();
    expect(rows.map(({ address }) => address).sort()).toEqual(
      ['account', 'other', 'third'].flatMap((address) => changes.map(() => address)),
    );
    expect(rows[0]).toMatchObject({
      id: 'third:5',
      kind: 'liquidation_tag',
      time: timeOf(5),
      actor: null,
      finality: null,
    });
  });

  it('tells writes of one slot apart, the end of the slot being the newest', async () => {
    await project(seen(1, '50', { writeVersion: '9' }), seen(1, null, { writeVersion: '10' }));
    await project(seen(1, '60'));
    await project(seen(1, null, { writeVersion: '11' }));
    expect((await read()).map(({ id, detail }) => `${id} ${detail.taggedAt}`).sort()).toEqual([
      'account:1 60',
      'account:1:10 null',
      'account:1:9 50',
    ]);
  });

  it('ends with the account, and begins with what an account is found to have', async () => {
    await project(seen(3, '50'));
    await project(seen(4, 'gone'));
    expect(await tags()).toEqual(['3 50', '4 null']);
  });

  it('keeps what an account was in a dropped slot, and what it is found to be after it', async () => {
    await project(seen(2, '50'));
    await drop(2n);
    await project(seen(3, null));
    expect(await tags()).toEqual(['2 50', '3 null']);
  });

  it('knows the tags that accounts had before changes were kept', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'migrations-'));
    const before = (await readdir(MIGRATIONS_DIR)).filter((file) => file.endsWith('.sql') && file < '0015');
    for (const file of before) await copyFile(join(MIGRATIONS_DIR, file), join(dir, file));
    await sql`drop schema public cascade; create schema public`.execute(database.db);
    const { connectionString } = database;
    await migrate({ connectionString, dir });
    await sql`
      insert into account (address, is_closed, source, slot, write_version, slot_time, liquidation_tagged_at) values
        ('account', false, 'chain', 3, null, ${timeOf(3)}, 50),
        ('other', false, 'chain', 3, 7, ${timeOf(3)}, 60),
        ('third', false, 'chain', 3, 7, ${timeOf(3)}, null)
    `.execute(database.db);
    await migrate({ connectionString, dir: MIGRATIONS_DIR });
    await rm(dir, { recursive: true });
    const seeded = [
      ['other:3:7', timeOf(3), '60', '7'],
      ['account:3', timeOf(3), '50', 'Infinity'],
    ];
    const found = async () => (await read()).map(({ id, time, detail }) => [id, time, detail.taggedAt, detail.version]);
    expect(await found()).toEqual(seeded);
    await project(seen(4, '50'), seen(4, null, { address: 'other' }), seen(4, null, { address: 'third' }));
    expect(await found()).toEqual([['other:4', timeOf(4), null, 'Infinity'], ...seeded]);
  });

  it('has the same rows however writes of any order are cut into batches, and after a replay', async () => {
    const story = [
      seen(1, null),
      seen(2, '50', { writeVersion: '9' }),
      seen(2, '70', { writeVersion: '9' }),
      seen(2, '60'),
      seen(3, null),
    ];
    // Each order is an account of its own.
    const orders = permutations(story).map((writes, nth) => writes.map((row) => ({ ...row, address: `order-${nth}` })));
    const replayed = orders.flat().map(({ address, slot }) => ({ topic: 'account.updated.v1', address, slot }));
    async function projectCut(isCutAfter: (at: number) => boolean): Promise<void> {
      let batch: AccountWrite[] = [];
      for (const at of story.keys()) {
        batch.push(...orders.flatMap((writes) => writes[at] ?? []));
        if (!isCutAfter(at) && at < story.length - 1) continue;
        await project(...batch);
        batch = [];
      }
    }
    async function rows(): Promise<readonly string[]> {
      const all = await listGroupChanges(database.db, { limit: 10_000 });
      return all.map(({ id, detail }) => `${id} ${detail.taggedAt}`).sort();
    }
    await projectCut(() => true);
    const oneByOne = await rows();
    const of = (nth: number) => oneByOne.filter((row) => row.startsWith(`order-${nth}:`));
    expect(of(0)).toEqual(['order-0:2 60', 'order-0:2:9 50', 'order-0:3 null']);
    // What comes after a newer write is left out.
    expect(of(orders.length - 1)).toEqual([]);
    for (let cuts = 0; cuts < 2 ** (story.length - 1); cuts += 1) {
      const isCutAfter = (at: number) => (cuts & (1 << at)) !== 0;
      await sql`truncate account, balance, group_change`.execute(database.db);
      await projectCut(isCutAfter);
      expect(await rows(), `cuts ${cuts}`).toEqual(oneByOne);
      await projectCut(isCutAfter);
      expect(await rows(), `cuts ${cuts}, twice`).toEqual(oneByOne);
    }
    await database.db.transaction().execute(async (transaction) => {
      await beginReplayedRows(transaction);
      await addReplayedRows(transaction, replayed);
      await removeReplayedRows(transaction);
    });
    expect(await rows()).toEqual([]);
    await projectCut((at) => at === 2);
    expect(await rows()).toEqual(oneByOne);
  });

  it('takes nothing of a write that is older than the account is', async () => {
    await project(seen(1, null));
    await project(seen(1, '50', { writeVersion: '5' }));
    expect(await tags()).toEqual([]);
  });
});

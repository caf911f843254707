import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { useDatabase } from '#testing/use-database.ts';
import { deleteLapsedWindows, type PermitRequest, takePermits } from './rate-windows.ts';

const database = useDatabase({ per: 'test' });

const one = (scope: string, limit: number, changes: Partial<PermitRequest> = {}): PermitRequest => ({
  scope,
  limit,
  need: 1,
  want: 1,
  countsMs: 60_000,
  ...changes,
});
const take = (...requests: PermitRequest[]) => takePermits(database.db, 'client', requests);
const grantedOf = async (...requests: PermitRequest[]) => (await take(...requests)).granted;
/** As if the database's clock had been put forward, or back. */
const age = (ms: number) =>
  sql`
    update rate_window set
      ends = array(select "end" - ${ms}::float8 * interval '1 ms' from unnest(ends) as "end"),
      lapses_at = lapses_at - ${ms}::float8 * interval '1 ms'
  `.execute(database.db);

describe('takePermits', () => {
  it('grants as many as the limit, and tells what counts', async () => {
    expect(await grantedOf(one('v1', 2))).toBe(true);
    await age(20_000);
    const { granted, counted } = await take(one('v1', 2));
    expect(granted).toBe(true);
    expect(counted).toEqual([
      { scope: 'v1', count: 1, endsInMs: expect.closeTo(40_000, -4) },
      { scope: 'v1', count: 1, endsInMs: expect.closeTo(60_000, -4) },
    ]);
    const refused = await take(one('v1', 2));
    expect(refused.granted).toBe(false);
    expect(refused.counted).toHaveLength(2);
    await age(40_001);
    expect(await grantedOf(one('v1', 2))).toBe(true);
    expect(await grantedOf(one('v1', 2))).toBe(false);
  });

  it('grants something of every scope, or nothing of any', async () => {
    expect(await grantedOf(one('v1', 60), one('tx', 1))).toBe(true);
    const refused = await take(one('v1', 60), one('tx', 1));
    expect(refused.granted).toBe(false);
    expect(refused.counted.map(({ scope }) => scope)).toEqual(['v1', 'tx']);
  });

  it('counts clients apart', async () => {
    expect(await grantedOf(one('v1', 1))).toBe(true);
    expect((await takePermits(database.db, 'another', [one('v1', 1)])).granted).toBe(true);
  });

  it('grants what there is room for where less is needed than wanted', async () => {
    const handful = one('v1', 100, { want: 60 });
    expect((await take(handful)).counted).toMatchObject([{ count: 60 }]);
    expect((await take(handful)).counted).toMatchObject([{ count: 60 }, { count: 40 }]);
    expect(await grantedOf(handful)).toBe(false);
  });

  it('grants several at once, or none', async () => {
    expect(await grantedOf(one('mcp', 10, { need: 8, want: 8 }))).toBe(true);
    expect(await grantedOf(one('mcp', 10, { need: 3, want: 3 }))).toBe(false);
    expect(await grantedOf(one('mcp', 10, { need: 2, want: 2 }))).toBe(true);
  });

  it('never grants more to many who ask at once', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => grantedOf(one('v1', 7), one('tx', 20))));
    expect(answers.filter(Boolean)).toHaveLength(7);
  });

  it('counts nothing longer than a minute after its clock was set back', async () => {
    expect(await grantedOf(one('v1', 1))).toBe(true);
    await age(-3_600_000);
    const { granted, counted } = await take(one('v1', 1));
    expect(granted).toBe(false);
    expect(counted).toMatchObject([{ endsInMs: expect.closeTo(60_000, -4) }]);
    await age(60_001);
    expect(await grantedOf(one('v1', 1))).toBe(true);
  });
});

describe('takePermits of several scopes', () => {
  it('leaves scopes alone that were not asked for, however long they count', async () => {
    await take(one('v1', 60, { countsMs: 62_000 }));
    expect((await take(one('tx', 10))).counted).toMatchObject([{ scope: 'tx' }]);
    await age(60_500);
    expect((await take(one('v1', 60))).counted).toHaveLength(2);
  });
});

describe('deleteLapsedWindows', () => {
  it('deletes what counts no more, and nothing else', async () => {
    await take(one('v1', 1));
    await takePermits(database.db, 'another', [one('v1', 1)]);
    await sql`update rate_window set lapses_at = now() where client = 'another'`.execute(database.db);
    expect(await deleteLapsedWindows(database.db)).toBe(1);
    const { rows } = await sql`select client from rate_window`.execute(database.db);
    expect(rows).toEqual([{ client: 'client' }]);
  });
});

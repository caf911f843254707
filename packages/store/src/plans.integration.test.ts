import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { useDatabase } from '#testing/use-database.ts';
import { claimKey, reclaimKey, releaseKey, settleKey } from './idempotency-keys.ts';
import { deleteExpiredPlans, insertPlan, type PlanWrite, readPlan } from './plans.ts';

const database = useDatabase({ per: 'test' });

const FIRST = '00000000-0000-4000-8000-000000000001';
const SECOND = '00000000-0000-4000-8000-000000000002';
const KEY = { authority: 'wallet', key: 'k' };

const plan = (id: string, changes: Partial<PlanWrite> = {}): PlanWrite => ({
  id,
  authority: 'wallet',
  account: 'account',
  newAccountIndex: null,
  envelope: { summary: 'it' },
  lastValidBlockHeight: 10_000_000_000n,
  unixTimestamp: 1_795_000_000n,
  ...changes,
});
const claim = (by: string, changes: Partial<Parameters<typeof claimKey>[1]> = {}) =>
  claimKey(database.db, { ...KEY, claim: by, arguments: 'a', leaseMs: 60_000, ...changes });
const settle = (by: string, id: string) => settleKey(database.db, { ...KEY, claim: by }, plan(id));
const expire = (table: string) =>
  sql`update ${sql.table(table)} set expires_at = now() - interval '1 second'`.execute(database.db);
const countOf = async (table: string) =>
  Number((await sql<{ n: string }>`select count(*) as n from ${sql.table(table)}`.execute(database.db)).rows[0]?.n);

describe('readPlan', () => {
  it('gives what was kept, for a day', async () => {
    await insertPlan(database.db, plan(FIRST, { newAccountIndex: 3 }));
    expect(await readPlan(database.db, FIRST)).toEqual({
      id: FIRST,
      authority: 'wallet',
      account: 'account',
      new_account_index: 3,
      envelope: { summary: 'it' },
      last_valid_block_height: 10_000_000_000n,
      unix_timestamp: 1_795_000_000n,
    });
    expect(await readPlan(database.db, SECOND)).toBeNull();
    await expire('plan');
    expect(await readPlan(database.db, FIRST)).toBeNull();
  });
});

describe('deleteExpiredPlans', () => {
  it('deletes what is over, more than one batch of it, and nothing else', async () => {
    await insertPlan(database.db, plan(FIRST));
    await claim(FIRST);
    await sql`insert into plan select gen_random_uuid(), authority, account, null, envelope, 1, 1, now() - interval '1 second' from plan, generate_series(1, 2100)`.execute(
      database.db,
    );
    expect(await deleteExpiredPlans(database.db)).toBe(2_100);
    expect([await countOf('plan'), await countOf('idempotency_key')]).toEqual([1, 1]);
    await expire('idempotency_key');
    expect(await deleteExpiredPlans(database.db)).toBe(1);
  });
});

describe('claimKey', () => {
  it('lets one of those who come at once build', async () => {
    const states = await Promise.all(
      Array.from({ length: 8 }, (_, index) => claim(`00000000-0000-4000-8000-00000000001${index}`)),
    );
    expect(states.map(({ kind }) => kind).sort()).toEqual([...Array(7).fill('busy'), 'claimed']);
  });

  it('knows the plan once it is built, and refuses other arguments', async () => {
    await claim(FIRST);
    expect(await settle(FIRST, FIRST)).toBe(true);
    expect(await claim(SECOND)).toEqual({ kind: 'built', plan: FIRST });
    expect(await claim(SECOND, { arguments: 'b' })).toEqual({ kind: 'conflict' });
    expect(await claim(SECOND, { authority: 'other', arguments: 'b' })).toEqual({ kind: 'claimed' });
    expect(await readPlan(database.db, FIRST)).not.toBeNull();
  });

  it('forgets what failed, and whoever never came back', async () => {
    await claim(FIRST);
    await releaseKey(database.db, { ...KEY, claim: FIRST });
    expect(await claim(SECOND, { arguments: 'b', leaseMs: 0 })).toEqual({ kind: 'claimed' });
    expect(await claim(FIRST)).toEqual({ kind: 'claimed' });
    expect(await settle(SECOND, SECOND)).toBe(false);
    expect(await readPlan(database.db, SECOND)).toBeNull();
  });

  it('begins anew after a day', async () => {
    await claim(FIRST);
    await settle(FIRST, FIRST);
    await expire('idempotency_key');
    expect(await claim(SECOND, { arguments: 'b' })).toEqual({ kind: 'claimed' });
  });
});

describe('reclaimKey', () => {
  const again = (by: string, of: string) => reclaimKey(database.db, { ...KEY, claim: by, plan: of, leaseMs: 60_000 });

  it('lets one build again, and keeps the old plan when that fails', async () => {
    await claim(FIRST);
    await settle(FIRST, FIRST);
    expect(await Promise.all([again(SECOND, FIRST), again(FIRST, FIRST)])).toContain(false);
    await releaseKey(database.db, { ...KEY, claim: SECOND });
    await releaseKey(database.db, { ...KEY, claim: FIRST });
    expect(await claim(SECOND)).toEqual({ kind: 'built', plan: FIRST });
    expect(await again(SECOND, FIRST)).toBe(true);
    expect(await settle(SECOND, SECOND)).toBe(true);
    expect(await again(FIRST, FIRST)).toBe(false);
    expect(await claim(FIRST)).toEqual({ kind: 'built', plan: SECOND });
  });
});

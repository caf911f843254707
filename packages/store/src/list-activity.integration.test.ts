import { ACTIVITY_KINDS, LEG_ACTIONS } from '@lending/domain';
import { NAMED_HANG } from '@lending/testing';
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { activityWrite } from '#testing/rows.ts';
import { useDatabase } from '#testing/use-database.ts';
import type { ActivityLegWrite, ActivityWrite } from './activity-write.ts';
import { insertActivities } from './insert-activities.ts';
import { type ActivityFilter, listActivity, listNewestActivity } from './list-activity.ts';
import type { ActivityPlace, ActivityRow } from './read-activity.ts';
import { dropSlots, finalizeSlots } from './record-slot-finality.ts';

const database = useDatabase();
const START_MS = Date.parse('2026-11-21T10:00:00Z');
const SLOTS = 30;
const at = (slot: number): Date => new Date(START_MS + slot * 1_000);

interface Made {
  readonly slot: number;
  readonly kind: (typeof ACTIVITY_KINDS)[number];
  readonly account: number;
  readonly actor: number | null;
  readonly legs: readonly { readonly bank: number; readonly action: (typeof LEG_ACTIONS)[number] }[];
}

const made: fc.Arbitrary<Made> = fc
  .record({
    slot: fc.integer({ min: 0, max: SLOTS }),
    kind: fc.constantFrom(...ACTIVITY_KINDS),
    account: fc.integer({ min: 0, max: 3 }),
    actor: fc.option(fc.integer({ min: 0, max: 3 })),
    legs: fc.array(fc.record({ bank: fc.integer({ min: 0, max: 3 }), action: fc.constantFrom(...LEG_ACTIONS) }), {
      maxLength: 3,
    }),
  })
  // What is called like an action has that one leg, as it is decoded.
  .map((one) => {
    const action = LEG_ACTIONS.find((word) => word === one.kind);
    return action === undefined ? one : { ...one, legs: [{ bank: one.legs[0]?.bank ?? 0, action }] };
  });

let written = 0;

/** Two accounts have one owner; actor 0 to 3 are those owners' names and others'. */
function activity({ slot, kind, account, actor, legs }: Made): ActivityWrite {
  written += 1;
  const signature = `tx${((written * 7_919) % 10_007).toString().padStart(5, '0')}`;
  const authority = `who${account % 2}`;
  return activityWrite({
    signature,
    instructionIndex: written % 3,
    kind,
    account: `account${account}`,
    authority,
    actor: actor === null ? authority : `who${actor}`,
    legs: legs.map(
      ({ bank, action }): ActivityLegWrite => ({
        bank: `bank${bank}`,
        mint: 'mint',
        action,
        amountBase: '1',
        shares: null,
        closesSide: false,
      }),
    ),
    slot: BigInt(slot),
    time: at(slot).toISOString(),
  });
}

async function write(...rows: readonly ActivityWrite[]): Promise<void> {
  await database.db.transaction().execute((transaction) => insertActivities(transaction, rows));
}

const FINAL_BEFORE = 25;

async function refill(rows: readonly ActivityWrite[]): Promise<void> {
  await sql`truncate activity, activity_leg, slot_finality`.execute(database.db);
  await write(...rows);
  const final = Array.from({ length: FINAL_BEFORE }, (_, slot) => BigInt(slot));
  await database.db.transaction().execute((transaction) => finalizeSlots(transaction, final));
}

const placeOf = (row: ActivityRow): ActivityPlace => ({
  slot: row.slot,
  signature: row.signature,
  instructionIndex: row.instruction_index,
  innerIndex: row.inner_index,
});

function isOf(row: ActivityWrite, filter: ActivityFilter): boolean {
  const { accounts, authority, actor, banks, kinds, since, until, finality } = filter;
  const isFinal = row.slot < BigInt(FINAL_BEFORE);
  return (
    (accounts?.includes(row.account) ?? true) &&
    (authority === undefined || row.authority === authority) &&
    (actor === undefined || row.actor === actor) &&
    (banks === undefined || row.legs.some(({ bank }) => banks.includes(bank))) &&
    (kinds === undefined || (kinds as readonly string[]).includes(row.kind)) &&
    (since === undefined || new Date(row.time) >= since) &&
    (until === undefined || new Date(row.time) < until) &&
    (finality === undefined || (finality === 'finalized') === isFinal)
  );
}

function newestFirst(a: ActivityWrite, b: ActivityWrite): number {
  if (a.slot !== b.slot) return a.slot > b.slot ? -1 : 1;
  if (a.signature !== b.signature) return a.signature > b.signature ? -1 : 1;
  return b.instructionIndex - a.instructionIndex;
}

const who = fc.constantFrom('who0', 'who1', 'who2');
const filters: fc.Arbitrary<ActivityFilter> = fc.record(
  {
    accounts: fc.subarray(['account0', 'account1', 'account2'], { minLength: 1 }),
    authority: who,
    actor: who,
    banks: fc.subarray(['bank0', 'bank1', 'bank2'], { minLength: 1 }),
    kinds: fc.subarray([...ACTIVITY_KINDS], { minLength: 1 }),
    since: fc.integer({ min: -1, max: SLOTS + 1 }).map(at),
    until: fc.integer({ min: -1, max: SLOTS + 1 }).map(at),
    finality: fc.constantFrom('confirmed' as const, 'finalized' as const),
  },
  { requiredKeys: [] },
);

describe('listActivity', () => {
  beforeEach(async () => {
    written = 0;
    await refill([]);
  });

  it('gives what every filter lets through, newest first, whichever of them finds it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(made, { minLength: 20, maxLength: 60 }),
        fc.array(filters, { minLength: 8, maxLength: 8 }),
        fc.integer({ min: 1, max: 80 }),
        async (all, asked, limit) => {
          const rows = all.map(activity);
          await refill(rows);
          for (const filter of asked) {
            const found = await listActivity(database.db, { ...filter, limit });
            const expected = rows.filter((row) => isOf(row, filter)).sort(newestFirst);
            expect(found.map(({ id }) => id)).toEqual(expected.slice(0, limit).map(({ id }) => id));
          }
        },
      ),
      { numRuns: 25, ...NAMED_HANG },
    );
  });

  it('pages through without repeating or losing any while others arrive', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(made, { minLength: 20, maxLength: 50 }),
        filters,
        fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.array(made, { maxLength: 4 })), { minLength: 1 }),
        async (all, filter, steps) => {
          const rows = all.map(activity);
          await refill(rows);
          const seen: string[] = [];
          let before: ActivityPlace | undefined;
          for (let step = 0; ; step += 1) {
            const [limit, arriving] = steps[step % steps.length] ?? [5, []];
            const page = await listActivity(database.db, { ...filter, before, limit: limit + 1 });
            const shown = page.slice(0, limit);
            seen.push(...shown.map(({ id }) => id));
            const last = shown.at(-1);
            if (page.length <= limit || last === undefined) break;
            before = placeOf(last);
            if (step < 20) await write(...arriving.map(activity));
          }
          expect(new Set(seen).size).toBe(seen.length);
          const expected = rows.filter((row) => isOf(row, filter)).map(({ id }) => id);
          expect(expected.filter((id) => !seen.includes(id))).toEqual([]);
        },
      ),
      { numRuns: 25, ...NAMED_HANG },
    );
  });

  it('counts an activity with several legs in a bank once', async () => {
    const leg = { bank: 1, action: 'borrow' } as const;
    const rows = [3, 2, 1].map((slot) => activity({ slot, kind: 'loop', account: 0, actor: null, legs: [leg, leg] }));
    await write(...rows);
    const found = await listActivity(database.db, { banks: ['bank1'], limit: 2 });
    expect(found.map(({ slot }) => slot)).toEqual([3n, 2n]);
  });

  it('counts the later slot of a transaction that two forks had, and none of a dropped one', async () => {
    const first = activity({
      slot: 5,
      kind: 'deposit',
      account: 0,
      actor: null,
      legs: [{ bank: 0, action: 'deposit' }],
    });
    await write(first, { ...first, slot: 6n });
    const slots = async () =>
      (await listActivity(database.db, { banks: ['bank0'], limit: 9 })).map(({ slot }) => Number(slot));
    expect(await slots()).toEqual([6]);
    await database.db.transaction().execute((transaction) => dropSlots(transaction, [6n]));
    expect(await slots()).toEqual([5]);
  });
});

describe('listNewestActivity', () => {
  it('gives the newest of each account', async () => {
    await refill(
      [1, 2, 3, 4, 5, 6].map((slot) => activity({ slot, kind: 'transfer', account: slot % 2, actor: null, legs: [] })),
    );
    const found = await listNewestActivity(database.db, { accounts: ['account0', 'account1', 'account9'], limit: 2 });
    expect(found.map(({ account, slot }) => `${account}@${slot}`)).toEqual([
      'account0@6',
      'account1@5',
      'account0@4',
      'account1@3',
    ]);
  });
});

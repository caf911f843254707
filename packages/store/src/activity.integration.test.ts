import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { activityWrite, sampleWrite } from '#testing/rows.ts';
import { useDatabase } from '#testing/use-database.ts';
import type { ActivityWrite } from './activity-write.ts';
import { advanceChainProgress } from './advance-progress.ts';
import { insertActivities } from './insert-activities.ts';
import { insertRateSamples } from './insert-rate-samples.ts';
import {
  type ActivityPage,
  type ActivityPlace,
  type ActivityRow,
  readActivity,
  readExecutions,
} from './read-activity.ts';
import { readActivityPrices } from './read-activity-prices.ts';
import { listUnfinalSlots } from './read-progress.ts';
import { dropSlots, finalizeSlots, forgetFinalSlots } from './record-slot-finality.ts';

const database = useDatabase({ per: 'test' });
const START_MS = Date.parse('2026-11-21T10:00:00Z');
const SHARES = '999999.000000000000003552713678800500929355621337890625';

type Fields = Partial<Omit<ActivityWrite, 'id'>>;

/** Activity of a transaction by its name, in a slot; a slot takes a second. */
function activity(name: string, slot: number, fields: Fields = {}): ActivityWrite {
  return activityWrite({
    signature: name,
    legs: [{ bank: 'bank', mint: 'mint', action: 'deposit', amountBase: '1', shares: SHARES, closesSide: false }],
    slot: BigInt(slot),
    time: new Date(START_MS + slot * 1_000).toISOString(),
    ...fields,
  });
}

const write = (...activities: readonly ActivityWrite[]): Promise<void> =>
  database.db.transaction().execute((transaction) => insertActivities(transaction, activities));
const finalize = (...slots: readonly bigint[]): Promise<void> =>
  database.db.transaction().execute((transaction) => finalizeSlots(transaction, slots));
const drop = (...slots: readonly bigint[]): Promise<void> =>
  database.db.transaction().execute((transaction) => dropSlots(transaction, slots));

const read = (page: Partial<ActivityPage> = {}): Promise<readonly ActivityRow[]> =>
  readActivity(database.db, { addresses: ['account'], limit: 100, ...page });
async function ids(page: Partial<ActivityPage> = {}): Promise<readonly string[]> {
  return (await read(page)).map(({ id, slot }) => `${id}@${slot}`);
}
async function countLegs(): Promise<number> {
  return (await database.db.selectFrom('activity_leg').selectAll().execute()).length;
}

describe('insertActivities and readActivity', () => {
  it('keeps every amount exact and gives every field back', async () => {
    const liquidation = {
      liquidator: 'liquidator',
      assetBank: 'bank',
      liabilityBank: null,
      seizedBase: '18446744073709551615',
      repaidBase: null,
    };
    await write(
      activity('tx', 7, {
        innerIndex: 1_023,
        kind: 'liquidation',
        groupId: 'tx:0',
        actor: 'liquidator',
        counterparty: 'other-account',
        tipLamports: '9223372036854775807',
        legs: [
          { bank: 'bank-b', mint: 'mint', action: 'seize', amountBase: null, shares: null, closesSide: true },
          {
            bank: 'bank-a',
            mint: 'mint',
            action: 'repay',
            amountBase: '18446744073709551615',
            shares: SHARES,
            closesSide: false,
            premium: { settledBase: '18446744073709551614', writtenOffBase: null },
          },
        ],
        liquidation,
      }),
    );
    expect(await read()).toEqual([
      {
        id: 'tx:2:1023',
        signature: 'tx',
        instruction_index: 2,
        inner_index: 1_023,
        kind: 'liquidation',
        group_id: 'tx:0',
        account: 'account',
        authority: 'owner',
        actor: 'liquidator',
        counterparty: 'other-account',
        fee_lamports: 5_000n,
        tip_lamports: 9_223_372_036_854_775_807n,
        finality: 'confirmed',
        liquidation,
        rebalance: null,
        slot: 7n,
        time: new Date(START_MS + 7_000),
        legs: [
          {
            bank: 'bank-b',
            mint: 'mint',
            action: 'seize',
            amount_base: null,
            shares: null,
            closes_side: true,
            premium_settled: null,
            premium_written_off: null,
          },
          {
            bank: 'bank-a',
            mint: 'mint',
            action: 'repay',
            amount_base: '18446744073709551615',
            shares: SHARES,
            closes_side: false,
            premium_settled: '18446744073709551614',
            premium_written_off: null,
          },
        ],
      },
    ]);
  });

  it('adds what is new to what is there, and legs only of what it adds', async () => {
    await write(activity('a', 1), activity('b', 2));
    await write(activity('b', 2, { legs: [...activity('b', 2).legs, ...activity('b', 2).legs] }), activity('c', 3));
    await write(activity('c', 3), activity('c', 3), activity('d', 4));
    expect(await ids()).toEqual(['d:2@4', 'c:2@3', 'b:2@2', 'a:2@1']);
    expect(await countLegs()).toBe(4);
  });

  it('says who acted, the authority where nobody else did', async () => {
    await write(activity('a', 1), activity('b', 2, { actor: 'bot' }));
    expect((await read()).map(({ actor }) => actor)).toEqual(['bot', 'owner']);
  });

  it('finds an address as account, authority and counterparty, each activity once', async () => {
    await write(
      activity('a', 1),
      activity('b', 2, { authority: 'account' }),
      activity('c', 3, { account: 'x', counterparty: 'account' }),
      activity('d', 4, { authority: 'account', counterparty: 'account' }),
      activity('e', 5, { account: 'x', authority: 'y' }),
    );
    expect(await ids()).toEqual(['d:2@4', 'c:2@3', 'b:2@2', 'a:2@1']);
    expect(await ids({ roles: ['account'] })).toEqual(['d:2@4', 'b:2@2', 'a:2@1']);
    expect(await ids({ addresses: ['x', 'account'], limit: 3 })).toEqual(['e:2@5', 'd:2@4', 'c:2@3']);
  });

  it('filters by kind and time, from a time on and before another', async () => {
    await write(
      activity('a', 1),
      activity('b', 2, { kind: 'borrow' }),
      activity('c', 3, { kind: 'repay' }),
      activity('d', 4),
    );
    const at = (slot: number) => new Date(START_MS + slot * 1_000);
    expect(await ids({ kinds: ['borrow', 'repay'] })).toEqual(['c:2@3', 'b:2@2']);
    expect(await ids({ since: at(2), until: at(4) })).toEqual(['c:2@3', 'b:2@2']);
    expect(await ids({ kinds: ['deposit'], since: at(2) })).toEqual(['d:2@4']);
  });

  it('pages without repeating or losing any, also while newer ones arrive', async () => {
    const all = Array.from({ length: 60 }, (_, nth) =>
      activity(`tx-${(nth * 7) % 60}`, Math.floor(nth / 9), {
        instructionIndex: nth % 3,
        innerIndex: nth % 2 === 0 ? null : nth % 12,
      }),
    );
    await write(...all);
    const wanted = await ids();
    expect(wanted).toHaveLength(60);
    const seen: string[] = [];
    let before: ActivityPlace | undefined;
    for (let round = 0; round < 100; round += 1) {
      const page = await read({ limit: 7, before });
      const last = page.at(-1);
      if (last === undefined) break;
      seen.push(...page.map(({ id, slot }) => `${id}@${slot}`));
      before = {
        slot: last.slot,
        signature: last.signature,
        instructionIndex: last.instruction_index,
        innerIndex: last.inner_index,
      };
      await write(activity(`newer-${round}`, 1_000 + round));
    }
    expect(seen).toEqual(wanted);
  });

  it('counts the later slot of a transaction that was seen in two, until that is dropped', async () => {
    await write(activity('a', 5), activity('b', 5));
    await write(activity('a', 7));
    expect(await ids()).toEqual(['a:2@7', 'b:2@5']);
    await drop(7n);
    expect(await ids()).toEqual(['b:2@5', 'a:2@5']);
    await write(activity('a', 7));
    expect(await ids()).toEqual(['b:2@5', 'a:2@5']);
  });
});

describe('executions of orders to rebalance', () => {
  const executed = (record: string | null, order = 'order-a', tipLamports = '70') => ({
    kind: 'order',
    rebalance: { order, executor: 'keeper', record, moved: '12.5', tipLamports, realized: null },
  });
  const settled = (record: string | null, realized: boolean, tipLamports: string, order = 'order-a') => ({
    kind: 'order',
    legs: [],
    rebalance: { order, executor: 'keeper', record, moved: null, tipLamports, realized },
  });
  const executions = async (limit = 9, ...orders: string[]) => {
    const asked = (orders.length === 0 ? ['order-a'] : orders).map((address) => ({ address, account: 'account' }));
    return (await readExecutions(database.db, asked, limit)).map(({ signature, rebalance }) => ({
      signature,
      settlement: rebalance?.settlement && `${rebalance.settlement.realized} ${rebalance.settlement.tipLamports}`,
    }));
  };

  it('have the settlement of their record, in whichever order the two are written', async () => {
    await write(activity('s1', 40, settled('r1', true, '70')));
    await write(
      activity('e1', 10, executed('r1')),
      activity('e2', 20, executed('r2')),
      activity('e3', 30, executed(null)),
    );
    await write(activity('s2', 50, settled('r2', false, '0')), activity('s3', 60, settled(null, true, '1')));
    expect(await executions()).toEqual([
      { signature: 'e3', settlement: null },
      { signature: 'e2', settlement: 'false 0' },
      { signature: 'e1', settlement: 'true 70' },
    ]);
    await drop(50n);
    expect((await executions())[1]).toEqual({ signature: 'e2', settlement: null });
    expect(
      (await read()).map(({ signature, rebalance }) => [signature, rebalance?.moved, rebalance?.settlement]),
    ).toEqual([
      ['s3', null, null],
      ['s1', null, null],
      ['e3', '12.5', null],
      ['e2', '12.5', null],
      ['e1', '12.5', expect.objectContaining({ realized: true, tipLamports: '70' })],
    ]);
  });

  it('take the first settlement after them, where an address came to stand for another execution', async () => {
    await write(
      activity('s0', 5, settled('r1', false, '0')),
      activity('e1', 10, executed('r1')),
      activity('s1', 20, settled('r1', true, '70')),
      activity('e2', 30, executed('r1')),
      activity('s2', 40, settled('r1', false, '9')),
      activity('x', 15, { ...settled('r1', false, '1'), account: 'another' }),
    );
    expect(await executions()).toEqual([
      { signature: 'e2', settlement: 'false 9' },
      { signature: 'e1', settlement: 'true 70' },
    ]);
  });

  it('have no settlement where they set no tip aside', async () => {
    await write(activity('e1', 10, executed('r1', 'order-a', '0')), activity('s1', 20, settled('r1', true, '70')));
    expect(await executions()).toEqual([{ signature: 'e1', settlement: null }]);
  });

  describe('of an address where an order was placed again', () => {
    const placed = (order = 'order-a') => ({
      kind: 'order',
      legs: [],
      rebalance: { order, executor: null, record: null, moved: null, tipLamports: null, realized: null },
    });
    const signatures = async () => (await executions()).map(({ signature }) => signature);

    it('are those since its newest placement in the account', async () => {
      await write(activity('e1', 10, executed('r1')), activity('e2', 30, executed('r2')));
      await write(activity('x1', 40, { ...placed(), account: 'another' }), activity('x2', 40, placed('order-b')));
      expect(await signatures()).toEqual(['e2', 'e1']);
      await write(activity('p1', 5, placed()));
      expect(await signatures()).toEqual(['e2', 'e1']);
      await write(activity('p2', 20, placed()), activity('s2', 50, settled('r2', true, '70')));
      expect(await executions()).toEqual([{ signature: 'e2', settlement: 'true 70' }]);
      await write(activity('p3', 60, placed()));
      expect(await signatures()).toEqual([]);
      await drop(60n);
      expect(await signatures()).toEqual(['e2']);
    });

    it('are told from those before it by their place in its transaction', async () => {
      await write(
        activity('tx', 10, { ...executed('r1'), instructionIndex: 1 }),
        activity('tx', 10, { ...placed(), instructionIndex: 3, innerIndex: 4 }),
      );
      expect(await signatures()).toEqual([]);
      await write(
        activity('tx', 10, { ...executed('r2'), instructionIndex: 3, innerIndex: 5 }),
        activity('tx', 10, { ...executed('r3'), instructionIndex: 4 }),
        activity('another', 10, { ...executed('r4'), instructionIndex: 0 }),
      );
      expect(await signatures()).toEqual(['tx', 'tx', 'another']);
    });

    it('have the placement count where its transaction was seen last', async () => {
      await write(activity('p', 10, placed()), activity('e1', 12, executed('r1')), activity('p', 15, placed()));
      await write(activity('e2', 20, executed('r2')));
      expect(await signatures()).toEqual(['e2']);
      await drop(15n);
      expect(await signatures()).toEqual(['e2', 'e1']);
    });

    it('are shown as activity, and the placement without an execution’s fields', async () => {
      await write(activity('e1', 10, executed('r1')), activity('p1', 20, placed()));
      expect((await read()).map(({ signature, rebalance }) => [signature, rebalance?.executor])).toEqual([
        ['p1', undefined],
        ['e1', 'keeper'],
      ]);
      expect((await read())[0]?.rebalance).toBeNull();
    });
  });

  it('are of the orders asked for, the newest so many of each', async () => {
    await write(
      ...[1, 2, 3].map((slot) => activity(`a${slot}`, slot, executed(`ra${slot}`))),
      ...[4, 5].map((slot) => activity(`b${slot}`, slot, executed(`rb${slot}`, 'order-b'))),
      activity('plain', 6, { kind: 'order' }),
    );
    const signatures = (await executions(2, 'order-a', 'order-b')).map(({ signature }) => signature);
    expect(signatures).toEqual(['b5', 'b4', 'a3', 'a2']);
    expect(await executions(2, 'order-c')).toEqual([]);
    expect(await readExecutions(database.db, [], 2)).toEqual([]);
  });
});

describe('finality', () => {
  it('is that of the slot, whichever is told first', async () => {
    await finalize(1n);
    await write(activity('a', 1), activity('b', 2), activity('c', 3, { finality: 'finalized' }), activity('d', 3));
    const finality = async () => (await read()).map((row) => `${row.signature} ${row.finality}`);
    expect(await finality()).toEqual(['d finalized', 'c finalized', 'b confirmed', 'a finalized']);
    expect(await listUnfinalSlots(database.db)).toEqual([2n]);
    await finalize(2n, 9n);
    await write(activity('b', 2), activity('e', 9));
    expect(await listUnfinalSlots(database.db)).toEqual([]);
  });

  it('takes back what was in a dropped slot with its legs, and refuses the rest of it', async () => {
    await write(activity('a', 1), activity('b', 2));
    await drop(2n, 3n);
    await finalize(2n);
    await write(activity('b', 2), activity('c', 3), activity('d', 4));
    expect(await ids()).toEqual(['d:2@4', 'a:2@1']);
    expect(await countLegs()).toBe(2);
    expect(await listUnfinalSlots(database.db)).toEqual([1n, 4n]);
  });

  it('is forgotten a million slots behind the root where it is final, and only there', async () => {
    await write(activity('a', 1), activity('b', 2), activity('c', 3), activity('d', 4));
    await drop(1n);
    await finalize(2n, 4n);
    const root = (rootSlot: bigint) =>
      database.db
        .transaction()
        .execute((transaction) =>
          advanceChainProgress(transaction, [
            { tipSlot: rootSlot, tipTime: activity('a', 1).time, rootSlot, source: 'chain' },
          ]),
        );
    expect(await forgetFinalSlots(database.db)).toBe(0);
    await root(1_000_002n);
    expect(await forgetFinalSlots(database.db)).toBe(0);
    await root(1_000_004n);
    expect(await forgetFinalSlots(database.db)).toBe(1);
    await write(activity('a', 1));
    expect((await read()).map((row) => `${row.signature} ${row.finality}`)).toEqual([
      'd finalized',
      'c confirmed',
      'b finalized',
    ]);
  });

  it('leaves nothing of a dropped slot that was being written at the same moment', async () => {
    for (let round = 0; round < 10; round += 1) {
      const slot = 100 + round;
      const writes = Array.from({ length: 4 }, (_, nth) =>
        write(activity(`tx-${nth}`, slot), activity(`x-${nth}`, slot)),
      );
      await Promise.all([...writes.slice(0, 2), drop(BigInt(slot)), finalize(BigInt(slot)), ...writes.slice(2)]);
    }
    expect(await ids()).toEqual([]);
    expect(await countLegs()).toBe(0);
  });

  it('does not wait in a ring when batches name the same slots and activity in opposite orders', async () => {
    const many = Array.from({ length: 60 }, (_, nth) => activity(`tx-${nth}`, nth % 20));
    const slots = Array.from({ length: 20 }, (_, nth) => BigInt(nth));
    await Promise.all([
      ...Array.from({ length: 6 }, (_, round) => write(...(round % 2 === 0 ? many : many.toReversed()))),
      finalize(...slots),
      finalize(...slots.toReversed()),
    ]);
    expect(await ids()).toHaveLength(60);
  });
});

describe('readActivityPrices', () => {
  const at = (seconds: number) => new Date(START_MS + seconds * 1_000);
  const sample = (bank: string, seconds: number, priceUsd: string | null) =>
    sampleWrite(at(seconds), { bank, priceUsd, slot: BigInt(1_000 + seconds) });

  it('takes the newest sample at or before, while it speaks; else the hour; else says unknown', async () => {
    const rows = [
      sample('bank', 0, '1.5'),
      sample('bank', 60, '1.6'),
      sample('bank', 90, null),
      sample('other', 60, '9'),
    ];
    await database.db.transaction().execute((transaction) => insertRateSamples(transaction, rows));
    const prices = async (...asked: readonly (readonly [string, number])[]) => {
      const found = await readActivityPrices(
        database.db,
        asked.map(([bank, seconds]) => ({ bank, time: at(seconds) })),
      );
      return found.map(({ price_usd }) => price_usd);
    };
    expect(
      await prices(['bank', 60], ['bank', 59], ['bank', 179], ['bank', 180], ['bank', -1], ['other', 61], ['none', 60]),
    ).toEqual(['1.6', '1.5', '1.6', null, null, '9', null]);
    const { id } = await database.db
      .selectFrom('rate_series')
      .select('id')
      .where('address', '=', 'bank')
      .executeTakeFirstOrThrow();
    await database.db
      .insertInto('rate_hour')
      .values({
        series: id,
        bucket: at(0),
        source: 'poller',
        samples: 1,
        covered_seconds: '1',
        time_first: at(0),
        time_last: at(0),
        price_usd: '1.4',
      })
      .execute();
    expect(await prices(['bank', 180], ['bank', 3_600], ['bank', 60], ['bank', 180])).toEqual([
      '1.4',
      null,
      '1.6',
      '1.4',
    ]);
    expect(await readActivityPrices(database.db, [])).toEqual([]);
  });

  it('says what a receipt was worth by the same sample, else by the hour', async () => {
    const rate = (seconds: number, exchangeRate: string) => ({ ...sample('venue', seconds, '1'), exchangeRate });
    await database.db
      .transaction()
      .execute((transaction) => insertRateSamples(transaction, [rate(0, '1.25'), rate(60, '1.26')]));
    await sql`
      insert into rate_hour (series, bucket, source, samples, covered_seconds, time_first, time_last, exchange_rate)
      select id, ${at(0)}, 'poller', 1, 1, ${at(0)}, ${at(0)}, 1.255 from rate_series
    `.execute(database.db);
    const asked = [59, 60, 900].map((seconds) => ({ bank: 'venue', time: at(seconds) }));
    const found = await readActivityPrices(database.db, asked);
    expect(found.map(({ exchange_rate: known }) => known)).toEqual(['1.25', '1.26', '1.255']);
  });
});

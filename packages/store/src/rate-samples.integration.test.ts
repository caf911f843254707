import { isLendingError } from '@lending/errors';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { useDatabase } from '#testing/use-database.ts';
import { dropOldRateSamples } from './drop-old-rate-samples.ts';
import { insertRateSamples, type RateSampleWrite } from './insert-rate-samples.ts';
import { rollUpDue, rollUpNext, settleRates } from './roll-up-rates.ts';

const database = useDatabase({ per: 'test' });

const SAMPLE: RateSampleWrite = {
  bank: 'bank-a',
  venue: 'p0',
  depositApr: '0.0312345678901234567890',
  borrowApr: '0.05',
  nativeApr: '0.07',
  emissionsDepositApr: '0.001',
  emissionsBorrowApr: '-0.002',
  utilization: '0.71',
  totalAssetsBase: '340282366920938463463374607431768211455',
  totalLiabilitiesBase: '7',
  availableLiquidityBase: null,
  assetShareValue: '1.000000000000003552713678800501',
  liabilityShareValue: '1.1',
  exchangeRate: '1.168758172839506172',
  nativeExchangeRate: '1.2',
  slotMs: '392.25',
  priceUsd: null,
  source: 'chain',
  slot: 100n,
  time: '2026-11-21T10:00:00.000Z',
};

function insert(...samples: Partial<RateSampleWrite>[]): Promise<number> {
  const rows = samples.map((sample) => ({ ...SAMPLE, ...sample }));
  return database.db.transaction().execute((transaction) => insertRateSamples(transaction, rows));
}

async function partitions(): Promise<string[]> {
  const { rows } = await sql<{ name: string; rows: string }>`
    select tableoid::regclass::text as name, count(*)::text as rows from rate_sample group by 1 order by 1
  `.execute(database.db);
  return rows.map(({ name, rows: count }) => `${name}: ${count}`);
}

describe('insertRateSamples', () => {
  it('keeps every digit, of rates 18 decimals, and every field in its column', async () => {
    await insert({});
    const { rows } = await sql`
      select rate_sample.*, address, kind, venue, source from rate_sample join rate_series on id = series
    `.execute(database.db);
    expect(rows).toEqual([
      {
        address: 'bank-a',
        kind: 'bank',
        venue: 'p0',
        source: 'chain',
        series: expect.any(Number),
        slot: 100n,
        time: new Date(SAMPLE.time),
        deposit_apr: '0.031234567890123456',
        borrow_apr: '0.05',
        native_apr: '0.07',
        emissions_deposit_apr: '0.001',
        emissions_borrow_apr: '-0.002',
        utilization: '0.71',
        total_assets_base: SAMPLE.totalAssetsBase,
        total_liabilities_base: '7',
        available_liquidity_base: null,
        asset_share_value: SAMPLE.assetShareValue,
        liability_share_value: '1.1',
        exchange_rate: '1.168758172839506172',
        native_exchange_rate: '1.2',
        slot_ms: '392.25',
        price_usd: null,
      },
    ]);
  });

  it('adds a sample once, however often it comes, and never changes it', async () => {
    expect(await insert({}, {}, { bank: 'bank-b' })).toBe(2);
    expect(await insert({ borrowApr: '0.99' }, { slot: 101n })).toBe(1);
    const rows = await database.db.selectFrom('rate_sample').select(['slot', 'borrow_apr']).orderBy('slot').execute();
    expect(rows.map(({ borrow_apr }) => borrow_apr)).toEqual(['0.05', '0.05', '0.05']);
  });

  it('splits a batch at midnight UTC', async () => {
    await insert(
      { slot: 1n, time: '2026-11-21T23:59:59.999Z' },
      { slot: 2n, time: '2026-11-22T00:00:00.000Z' },
      { slot: 3n, time: '2026-12-31T23:59:59.999Z' },
      { slot: 4n, time: '2027-01-01T00:00:00.000Z' },
    );
    expect(await partitions()).toEqual([
      'rate_sample_20261121: 1',
      'rate_sample_20261122: 1',
      'rate_sample_20261231: 1',
      'rate_sample_20270101: 1',
    ]);
  });

  it('takes late and early samples alike', async () => {
    await insert({ slot: 9n, time: '2026-11-25T00:00:00.000Z' });
    await insert({ slot: 1n, time: '2026-11-20T00:00:00.000Z' });
    expect(await partitions()).toEqual(['rate_sample_20261120: 1', 'rate_sample_20261125: 1']);
  });

  it('creates a day once when many transactions need it first', async () => {
    const writers = Array.from({ length: 8 }, (_, index) =>
      insert(
        { slot: BigInt(index), time: '2026-11-23T00:00:01.000Z' },
        { slot: 99n, bank: `b${index}`, time: '2026-11-24T00:00:01.000Z' },
      ),
    );
    expect(await Promise.all(writers)).toEqual(Array(8).fill(2));
    expect(await partitions()).toEqual(['rate_sample_20261123: 8', 'rate_sample_20261124: 8']);
  });

  it('creates a day while another transaction still writes to the table', async () => {
    const holds = Promise.withResolvers<void>();
    const mayEnd = Promise.withResolvers<void>();
    await insert({});
    const writer = database.db.transaction().execute(async (transaction) => {
      await insertRateSamples(transaction, [{ ...SAMPLE, slot: 500n }]);
      holds.resolve();
      await mayEnd.promise;
    });
    await holds.promise;
    expect(await insert({ slot: 501n, time: '2026-11-29T00:00:00.000Z' })).toBe(1);
    mayEnd.resolve();
    await writer;
  });

  it('leaves no partition behind when its transaction is rolled back', async () => {
    await expect(insert({ time: '2026-11-27T00:00:00.000Z', borrowApr: 'a lot' })).rejects.toSatisfy((error) =>
      isLendingError(error, 'STORE__ROW_INVALID'),
    );
    const { rows } = await sql<{
      name: string | null;
    }>`select to_regclass('rate_sample_20261127')::text as name`.execute(database.db);
    expect(rows).toEqual([{ name: null }]);
  });

  it('writes nothing of an empty batch', async () => {
    expect(await insert()).toBe(0);
  });
});

describe('dropOldRateSamples', () => {
  const now = new Date('2026-11-22T08:00:00Z');
  const rolledTo = (time: string) =>
    sql`update rate_roll_up set settled_before = ${time}, rolled_before = ${time}`.execute(database.db);
  const insertDays = async (...days: string[]): Promise<void> => {
    for (const day of days) await insert({ time: `2026-11-${day}T12:00:00.000Z` });
  };

  it('drops the days that are wholly older than allowed', async () => {
    await insertDays('19', '20', '21', '22');
    await rolledTo('2026-11-22T06:00:00Z');
    expect(await dropOldRateSamples(database.db, { keepDays: 1, now })).toEqual([
      'rate_sample_20261119',
      'rate_sample_20261120',
    ]);
    expect(await partitions()).toEqual(['rate_sample_20261121: 1', 'rate_sample_20261122: 1']);
    expect(await dropOldRateSamples(database.db, { keepDays: 1, now })).toEqual([]);
  });

  it('drops nothing before it is rolled up', async () => {
    await insertDays('18', '19', '20');
    expect(await dropOldRateSamples(database.db, { keepDays: 1, now })).toEqual([]);
    await rolledTo('2026-11-19T23:00:00Z');
    expect(await dropOldRateSamples(database.db, { keepDays: 1, now })).toEqual(['rate_sample_20261118']);
  });

  it('keeps a day of which an hour is to be rolled up again', async () => {
    await insertDays('17');
    await rolledTo('2026-11-22T06:00:00Z');
    await insertDays('18', '19');
    expect(await dropOldRateSamples(database.db, { keepDays: 1, now })).toEqual(['rate_sample_20261117']);
    while ((await rollUpDue(database.db)) > 0);
    expect(await dropOldRateSamples(database.db, { keepDays: 1, now })).toEqual([
      'rate_sample_20261118',
      'rate_sample_20261119',
    ]);
  });

  it('keeps what was rolled up when a sample of a dropped day comes again', async () => {
    await insert(
      { time: '2026-11-01T12:00:00.000Z' },
      { time: '2026-11-01T12:01:00.000Z' },
      { time: now.toISOString() },
    );
    await settleRates(database.db, new Date('2026-11-22T06:00:00Z'));
    while ((await rollUpNext(database.db)) !== null);
    const read = () => database.db.selectFrom('rate_hour').selectAll().execute();
    const rolled = await read();
    expect(rolled).toMatchObject([{ samples: 2 }]);
    await dropOldRateSamples(database.db, { keepDays: 1, now });
    expect(await insert({ time: '2026-11-01T12:00:00.000Z' })).toBe(0);
    await rollUpDue(database.db);
    expect(await read()).toEqual(rolled);
    expect(await partitions()).toEqual(['rate_sample_20261122: 1']);
  });

  it('gives up instead of making readers wait behind it', async () => {
    await insertDays('01');
    await rolledTo('2026-11-22T06:00:00Z');
    const holds = Promise.withResolvers<void>();
    const mayEnd = Promise.withResolvers<void>();
    const reader = database.db.transaction().execute(async (transaction) => {
      await transaction.selectFrom('rate_sample').selectAll().execute();
      holds.resolve();
      await mayEnd.promise;
    });
    await holds.promise;
    await expect(dropOldRateSamples(database.db, { keepDays: 1, now })).rejects.toSatisfy((error) =>
      isLendingError(error, 'STORE__UNAVAILABLE'),
    );
    mayEnd.resolve();
    await reader;
    expect(await partitions()).toEqual(['rate_sample_20261101: 1']);
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { bankWrite, sampleWrite } from '#testing/rows.ts';
import { useDatabase } from '#testing/use-database.ts';
import { insertRateSamples, type RateSampleWrite } from './insert-rate-samples.ts';
import { listBanks } from './list-banks.ts';
import { readRateHistory } from './rate-history.ts';
import { readTrailingRates } from './read-trailing-rates.ts';
import { hasTables, readServiceStatus } from './service-status.ts';
import { type BankWrite, upsertBanks } from './upsert-banks.ts';

const START_MS = Date.UTC(2026, 10, 21, 10, 0, 0);
const DAY_S = 86_400;

/** A sample some seconds after the start; its slot counts seconds too. */
function sample(seconds: number, depositApr: number | null, changes: Partial<RateSampleWrite> = {}): RateSampleWrite {
  return sampleWrite(new Date(START_MS + seconds * 1000), {
    depositApr: depositApr === null ? null : String(depositApr),
    borrowApr: depositApr === null ? null : String(depositApr * 2),
    nativeApr: null,
    totalAssetsBase: `${1000 + seconds}`,
    slot: BigInt(1_000_000_000 + seconds),
    ...changes,
  });
}

function bank(address: string): BankWrite {
  return bankWrite({ address, slotTime: new Date(START_MS).toISOString() });
}

describe('rate history', () => {
  const database = useDatabase();
  beforeAll(async () => {
    await database.store.db.transaction().execute(async (transaction) => {
      await upsertBanks(transaction, [bank('bank-a'), bank('bank-b'), bank('bank-never-sampled')]);
      await insertRateSamples(transaction, [
        sample(0, 0.1),
        sample(20, 0.2),
        sample(50, 0.3),
        sample(70, 0.4),
        sample(110, 0.5),
        sample(600, 0.6),
        sample(610, 0.7),
        sample(0, 0.9, { bank: 'bank-b' }),
      ]);
    });
  });

  const history = (bucketSeconds: number, endSeconds = 3_600, banks = ['bank-a']) =>
    readRateHistory(database.db, {
      banks,
      start: new Date(START_MS),
      end: new Date(START_MS + endSeconds * 1000),
      bucketSeconds,
    });

  it('weighs each value by the time it held, cut at the edges of the bucket', async () => {
    const [first, second] = await history(60);
    // 0.1 for 20 s, 0.2 for 30 s, 0.3 for 10 s; then 0.3 for 10 s, 0.4 for 40 s, 0.5 for 10 s.
    expect(first).toMatchObject({ samples: 3, slot_first: 1_000_000_000n, slot_last: 1_000_000_050n });
    expect(first?.deposit_apr).toBeCloseTo((0.1 * 20 + 0.2 * 30 + 0.3 * 10) / 60, 12);
    expect(first?.borrow_apr).toBeCloseTo((2 * (0.1 * 20 + 0.2 * 30 + 0.3 * 10)) / 60, 12);
    expect(second?.deposit_apr).toBeCloseTo((0.3 * 10 + 0.4 * 40 + 0.5 * 10) / 60, 12);
    expect(second).toMatchObject({ samples: 2, deposit_apr_min: 0.3, deposit_apr_max: 0.5, deposit_apr_close: 0.5 });
  });

  it('gives a bucket of the past the same mean, however far the range goes on', async () => {
    // The last sample before 120 s is that of 110 s, and the next comes at 600 s: out of sight of the short range.
    const [, short] = await history(60, 120);
    const [, long] = await history(60, 3_600);
    expect(short).toBeDefined();
    expect(short).toEqual(long);
  });

  it('lets no sample speak for more than 120 seconds', async () => {
    const [hour] = await history(3_600);
    const weights = [20, 30, 20, 40, 120, 10];
    const values = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6];
    const weighed = values.reduce((sum, value, index) => sum + value * (weights[index] ?? 0), 0);
    expect(hour?.deposit_apr).toBeCloseTo(weighed / weights.reduce((a, b) => a + b), 12);
  });

  it('has no row for a bucket without a sample, even if an earlier one still speaks', async () => {
    const rows = await history(60);
    expect(rows.map(({ bucket }) => (bucket.getTime() - START_MS) / 60_000)).toEqual([0, 1, 10]);
  });

  it('takes sizes and share values from the last sample, with every digit', async () => {
    const [first] = await history(60);
    expect(first).toMatchObject({
      total_assets_base: '1050',
      asset_share_value: '1.000000000000003552713678800500929355621337890625',
    });
  });

  it('closes with the last sample, whether values rise or fall', async () => {
    await database.store.db
      .transaction()
      .execute((transaction) =>
        insertRateSamples(transaction, [
          sample(0, 0.5, { bank: 'bank-falling', totalAssetsBase: '900' }),
          sample(30, 0.3, { bank: 'bank-falling', totalAssetsBase: '700', priceUsd: '2' }),
          sample(59, 0.1, { bank: 'bank-falling', totalAssetsBase: '800', priceUsd: null }),
          sample(60, 0.9, { bank: 'bank-falling', totalAssetsBase: '950' }),
        ]),
      );
    const [first] = await history(60, 60, ['bank-falling']);
    expect(first).toMatchObject({
      deposit_apr_close: 0.1,
      deposit_apr_max: 0.5,
      total_assets_base: '800',
      price_usd: null,
    });
  });

  it('keeps banks apart', async () => {
    const rows = await history(3_600, 3_600, ['bank-a', 'bank-b']);
    expect(
      rows.map(({ bank, samples, deposit_apr }) => [bank, samples, bank === 'bank-b' ? deposit_apr : null]),
    ).toEqual([
      ['bank-a', 7, null],
      ['bank-b', 1, 0.9],
    ]);
  });

  it('ends before its end', async () => {
    expect((await history(60, 60)).map(({ samples }) => samples)).toEqual([3]);
  });

  it('lists every bank with its newest sample, sampled or not', async () => {
    const rows = await listBanks(database.db);
    expect(rows.map(({ address, sample_slot, deposit_apr }) => [address, sample_slot, deposit_apr])).toEqual([
      ['bank-a', 1_000_000_610n, '0.7'],
      ['bank-b', 1_000_000_000n, '0.9'],
      ['bank-never-sampled', null, null],
    ]);
  });

  it('finds the newest sample of all', async () => {
    expect(await hasTables(database.db)).toBe(true);
    expect(await readServiceStatus(database.db)).toEqual({
      banks: 3,
      newest_slot: 1_000_000_610n,
      newest_time: new Date(START_MS + 610_000),
      source: 'chain',
    });
  });
});

describe('readTrailingRates', () => {
  const database = useDatabase({ per: 'test' });
  const until = new Date(START_MS + 7 * DAY_S * 1000);

  async function insert(samples: readonly RateSampleWrite[]): Promise<void> {
    await database.store.db.transaction().execute(async (transaction) => {
      await upsertBanks(transaction, [bank('bank-a')]);
      await insertRateSamples(transaction, samples);
    });
  }

  it('leaves out a bank whose samples cannot cover half of the window', async () => {
    await insert([sample(3.6 * DAY_S, 0.1), sample(7 * DAY_S, 0.1)]);
    expect(await readTrailingRates(database.db, until, 7)).toEqual([]);
  });

  it('weighs by time, says what time that is, and spans the share values', async () => {
    await insert([
      sample(1, 0.1, { assetShareValue: '1' }),
      sample(61, 0.4, { assetShareValue: '1.1' }),
      sample(3 * DAY_S, null),
      sample(3 * DAY_S + 30, 0.2),
      sample(7 * DAY_S, 0.2, { assetShareValue: '1.2' }),
      sample(7 * DAY_S + 1, 0.9),
    ]);
    const [row] = await readTrailingRates(database.db, until, 7);
    expect(row).toMatchObject({
      bank: 'bank-a',
      days: 7,
      covered_seconds: 60 + 120 + 30 + 120,
      // Of the first hour's last sample.
      share_value_first: '1.1',
      share_value_last: '1.2',
      span_seconds: 7 * DAY_S - 61,
    });
    // An hour counts with all of its seconds, also those of a sample whose rate is not known: 30 here.
    expect(row?.deposit_apr).toBeCloseTo((0.1 * 60 + 0.4 * 120 + 0.2 * 150) / (60 + 120 + 150), 12);
  });
});

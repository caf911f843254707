import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { useDatabase } from '#testing/use-database.ts';
import { insertBackfilledRates } from './insert-backfilled-rates.ts';
import { insertRateSamples, type RateSampleWrite } from './insert-rate-samples.ts';
import { readRateHistory } from './rate-history.ts';
import { readTrailingRates } from './read-trailing-rates.ts';
import { readRollUpMarks } from './roll-up-marks.ts';
import { rollUpDue, rollUpNext, settleRates } from './roll-up-rates.ts';
import { sampleWrite } from './testing/rows.ts';

const database = useDatabase({ per: 'test' });
const [HOUR, DAY] = [3_600_000, 86_400_000];
const START = Date.UTC(2026, 10, 18, 22);
const END = START + 3 * DAY;

function insert(rows: readonly RateSampleWrite[]): Promise<number> {
  return database.db.transaction().execute((transaction) => insertRateSamples(transaction, rows));
}

/** Everything that is settled, and every hour that is due. */
async function rollUpAll(before: number): Promise<void> {
  await settleRates(database.db, new Date(before));
  while ((await rollUpNext(database.db)) !== null);
  while ((await rollUpDue(database.db)) > 0);
}

/** A small generator of our own, so that a failing run can be had again. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Three days of two banks and a reserve: beats of 20 to 140 s, now and then a gap of hours, some rates unknown. */
function randomSamples(seed: number): RateSampleWrite[] {
  const next = numbersFrom(seed);
  return ['bank-a', 'bank-b', 'reserve-a'].flatMap((bank) => {
    const rows: RateSampleWrite[] = [];
    for (let time = START + Math.floor(next() * 600) * 1000; time < END; ) {
      const depositApr = next() < 0.02 ? null : (next() / 10).toFixed(18);
      const exchangeRate = bank === 'reserve-a' ? (1 + (time - START) / DAY / 1000).toFixed(18) : null;
      rows.push(
        sampleWrite(new Date(time), {
          bank,
          kind: bank === 'reserve-a' ? 'reserve' : 'bank',
          depositApr,
          borrowApr: (next() / 5).toFixed(18),
          utilization: next().toFixed(18),
          totalAssetsBase: String(Math.floor(next() * 1e15)),
          assetShareValue: (1 + (time - START) / DAY / 100).toFixed(30),
          exchangeRate,
        }),
      );
      time += next() < 0.003 ? Math.ceil(next() * 9) * HOUR : (20 + Math.floor(next() * 120)) * 1000;
    }
    // Whoever comes after the end, so that the last before it has spoken.
    return [...rows, sampleWrite(new Date(END + 600_000), { bank })];
  });
}

const BANKS = ['bank-a', 'bank-b', 'reserve-a'];
const history = (bucketSeconds: number, start = START, end = END) =>
  readRateHistory(database.db, { banks: BANKS, start: new Date(start), end: new Date(end), bucketSeconds });

async function readStored() {
  const { rows: hours } = await sql`select * from rate_hour order by series, bucket`.execute(database.db);
  const { rows: days } = await sql`select * from rate_day order by series, bucket`.execute(database.db);
  return { hours, days };
}

describe('rolling up', () => {
  it.each([1, 2, 3])('changes no figure that is read, %s', async (seed) => {
    await insert(randomSamples(seed));
    const until = new Date(END + 600_000);
    const read = async () => ({
      hours: await history(3_600),
      days: await history(86_400, Math.floor(START / DAY) * DAY, Math.floor(END / DAY) * DAY),
    });
    const before = await read();
    const trailing = await readTrailingRates(database.db, until, 2);
    expect(before.hours.length).toBeGreaterThan(100);
    expect(before.days.length).toBeGreaterThan(8);
    expect(trailing).toHaveLength(3);
    for (const settled of [START + 7 * HOUR, START + 26 * HOUR, START + 51 * HOUR, END]) {
      await rollUpAll(settled);
      expect((await readRollUpMarks(database.db)).rolledBefore).toEqual(new Date(settled));
      const now = await read();
      expect(now.hours).toEqual(before.hours);
      expect(now.days).toEqual(before.days);
      // In no order of their own.
      for (const row of await readTrailingRates(database.db, until, 2)) {
        const first = trailing.find(({ bank }) => bank === row.bank);
        expect(row).toEqual({
          ...first,
          // The window is put together from other pieces, and the digits beyond the eighteenth are gone.
          deposit_apr: expect.closeTo(first?.deposit_apr ?? Number.NaN, 4),
          borrow_apr: expect.closeTo(first?.borrow_apr ?? Number.NaN, 12),
          native_apr: expect.closeTo(0.07, 12),
        });
      }
    }
    expect((await readStored()).hours.length).toBe(before.hours.length);
  });

  it('weighs a day by the seconds that its hours cover', async () => {
    const at = (hour: number, second: number) => new Date(Date.UTC(2026, 10, 20, hour, 0, second));
    await insert([
      // 10 s of 10 %, then 120 s of 20 %; in another hour 120 s of 50 %.
      sampleWrite(at(1, 0), { depositApr: '0.1', totalAssetsBase: '7' }),
      sampleWrite(at(1, 10), { depositApr: '0.2', totalAssetsBase: '9', slot: 9n }),
      sampleWrite(at(3, 0), { depositApr: '0.5', totalAssetsBase: '8', assetShareValue: '2' }),
      sampleWrite(at(30, 0), { depositApr: '0.9' }),
    ]);
    await rollUpAll(Date.UTC(2026, 10, 21));
    const { hours, days } = await readStored();
    expect(hours).toMatchObject([
      // 25 ÷ 130, to 18 decimals.
      { samples: 2, covered_seconds: '130.000000', deposit_apr: '0.192307692307692308', deposit_apr_close: '0.2' },
      { samples: 1, covered_seconds: '120.000000', deposit_apr: '0.500000000000000000' },
    ]);
    expect(days).toHaveLength(1);
    expect(days[0]).toMatchObject({
      bucket: new Date('2026-11-20T00:00:00Z'),
      source: 'poller',
      samples: 3,
      covered_seconds: '250.000000',
      deposit_apr_min: '0.1',
      deposit_apr_max: '0.5',
      deposit_apr_close: '0.5',
      total_assets_base: '8',
      asset_share_value: '2',
      slot_first: 9n,
      time_first: at(1, 0),
      time_last: at(3, 0),
    });
    const mean = Number((days[0] as { deposit_apr: string }).deposit_apr);
    expect(mean).toBeCloseTo((0.1 * 10 + 0.2 * 120 + 0.5 * 120) / 250, 15);
  });

  it('writes the same rows when everything comes again', async () => {
    const samples = randomSamples(4);
    await insert(samples);
    await rollUpAll(END);
    const once = await readStored();
    expect(await insert(samples)).toBe(0);
    await rollUpAll(END);
    expect(await readStored()).toEqual(once);
    await sql`truncate rate_sample, rate_hour, rate_day`.execute(database.db);
    await sql`update rate_roll_up set settled_before = null, rolled_before = null`.execute(database.db);
    for (let nth = 0; nth < samples.length; nth += 500) await insert(samples.slice(nth, nth + 500));
    await rollUpAll(END);
    expect(await readStored()).toEqual(once);
  });

  it('comes to the same rows when samples come late, in any order, while it rolls up', async () => {
    const samples = randomSamples(5);
    await insert(samples);
    await rollUpAll(END);
    const inOrder = await readStored();
    await sql`truncate rate_sample, rate_hour, rate_day`.execute(database.db);
    await sql`update rate_roll_up set settled_before = null, rolled_before = null`.execute(database.db);
    const next = numbersFrom(6);
    const shuffled = samples.map((row) => ({ row, key: next() })).sort((a, b) => a.key - b.key);
    await insert(shuffled.splice(0, 200).map(({ row }) => row));
    await settleRates(database.db, new Date(END));
    const writing = (async () => {
      while (shuffled.length > 0) await insert(shuffled.splice(0, 100).map(({ row }) => row));
    })();
    const rolling = [1, 2].map(async () => {
      for (let beat = 0; beat < 12; beat += 1) {
        await rollUpNext(database.db);
        await rollUpDue(database.db);
      }
    });
    await Promise.all([writing, ...rolling]);
    await rollUpAll(END);
    expect(await readStored()).toEqual(inOrder);
    const { rows } = await sql`select from rate_roll_up_due`.execute(database.db);
    expect(rows).toEqual([]);
  });

  it('does nothing while another one rolls up, and nothing twice', async () => {
    await insert(randomSamples(7));
    await settleRates(database.db, new Date(END));
    const steps = (await Promise.all([1, 2, 3, 4].map(() => rollUpNext(database.db)))).filter((step) => step !== null);
    expect(steps.length).toBeGreaterThan(0);
    const ends = steps.map(({ to }) => to.getTime());
    expect(new Set(ends).size).toBe(ends.length);
  });

  it('keeps nothing of a step that fails, and goes on from there', async () => {
    await insert(randomSamples(8));
    await settleRates(database.db, new Date(END));
    await rollUpNext(database.db);
    const { rolledBefore } = await readRollUpMarks(database.db);
    const { hours } = await readStored();
    await sql`alter table rate_roll_up add constraint stop check (rolled_before <= ${sql.lit(rolledBefore?.toISOString())})`.execute(
      database.db,
    );
    await expect(rollUpNext(database.db)).rejects.toThrow('stop');
    expect((await readStored()).hours).toEqual(hours);
    await sql`alter table rate_roll_up drop constraint stop`.execute(database.db);
    expect((await rollUpNext(database.db))?.from).toEqual(rolledBefore);
  });

  it('leaps over years in which nothing was sampled', async () => {
    await insert([sampleWrite(new Date('2021-03-01T10:00:00Z')), sampleWrite(new Date('2026-11-20T10:00:00Z'))]);
    await settleRates(database.db, new Date('2026-11-21T00:00:00Z'));
    const steps: string[] = [];
    for (let step = await rollUpNext(database.db); step !== null; step = await rollUpNext(database.db)) {
      steps.push(step.from.toISOString());
    }
    expect(steps.map((from) => from.slice(0, 10))).toEqual([
      ...Array(12).fill('2021-03-01'),
      ...Array(12).fill('2026-11-20'),
    ]);
    expect((await readStored()).days).toHaveLength(2);
  });

  it('marks the hours that a late sample speaks in, and no other', async () => {
    const hour = Date.UTC(2026, 10, 20, 10);
    await insert([sampleWrite(new Date(hour - HOUR))]);
    await rollUpAll(hour + HOUR);
    await insert([
      sampleWrite(new Date(hour - 30_000)),
      sampleWrite(new Date(hour + HOUR - 1_000)),
      sampleWrite(new Date(hour + HOUR)),
    ]);
    const { rows } = await sql`select bucket from rate_roll_up_due order by bucket`.execute(database.db);
    // The sample of one second before the mark reaches into an hour that is not rolled up yet.
    expect(rows).toEqual([{ bucket: new Date(hour - HOUR) }, { bucket: new Date(hour) }]);
  });

  /** A transaction that has written and not ended. */
  async function beginWriting(rows: readonly RateSampleWrite[]): Promise<() => Promise<void>> {
    const wrote = Promise.withResolvers<void>();
    const mayEnd = Promise.withResolvers<void>();
    const writing = database.db.transaction().execute(async (transaction) => {
      await insertRateSamples(transaction, rows);
      wrote.resolve();
      await mayEnd.promise;
    });
    await wrote.promise;
    return async () => {
      mayEnd.resolve();
      await writing;
    };
  }

  it('settles nothing over the head of a writer', async () => {
    const hour = Date.UTC(2026, 10, 20, 10);
    const end = await beginWriting([sampleWrite(new Date(hour))]);
    const settling = settleRates(database.db, new Date(hour + HOUR));
    await new Promise((resolve) => setTimeout(resolve, 200));
    await rollUpNext(database.db);
    const later = insert([sampleWrite(new Date(hour + 60_000), { bank: 'bank-b' })]);
    await end();
    await Promise.all([settling, later]);
    await rollUpAll(hour + HOUR);
    expect((await readStored()).hours).toMatchObject([{ samples: 1 }, { samples: 1 }]);
  });

  it('leaves an hour for later that a writer is just marking', async () => {
    const hour = Date.UTC(2026, 10, 20, 10);
    await insert([sampleWrite(new Date(hour))]);
    await rollUpAll(hour + HOUR);
    await insert([sampleWrite(new Date(hour + 60_000))]);
    const end = await beginWriting([sampleWrite(new Date(hour + 120_000))]);
    expect(await rollUpDue(database.db)).toBe(0);
    await end();
    await rollUpAll(hour + HOUR);
    expect((await readStored()).hours).toMatchObject([{ samples: 3 }]);
  });
});

describe('backfilled hours', () => {
  const day = Date.UTC(2026, 10, 19);
  const hourly = (from: number, hours: number, depositApr = '0.2') => ({
    bank: 'reserve-a',
    kind: 'reserve' as const,
    venue: 'kamino' as const,
    interval: '1h' as const,
    origin: 'backfill_venue_api' as const,
    askedAt: new Date(day + 5 * DAY).toISOString(),
    source: 'chain' as const,
    points: Array.from({ length: hours }, (_, nth) => ({
      time: new Date(from + nth * HOUR).toISOString(),
      depositApr,
      borrowApr: '0.4',
      utilization: '0.5',
      totalAssetsBase: '100',
      totalLiabilitiesBase: '50',
      exchangeRate: '1.1',
      priceUsd: '1',
    })),
  });
  const backfill = (...writes: Parameters<typeof insertBackfilledRates>[1][number][]) =>
    database.db.transaction().execute((transaction) => insertBackfilledRates(transaction, writes));
  const sources = async (bucketSeconds: number, from = day, to = day + 2 * DAY) => {
    const rows = await history(bucketSeconds, from, to);
    return rows.map(({ bucket, source, deposit_apr }) => [bucket.getTime(), source, deposit_apr]);
  };

  it('have no lowest, highest and closing rate, and neither have their days', async () => {
    await insert([sampleWrite(new Date(day + 3 * DAY), { bank: 'reserve-a' })]);
    await backfill(hourly(day, 24));
    await rollUpAll(day + 3 * DAY);
    const unknown = { deposit_apr: 0.2, deposit_apr_min: null, deposit_apr_max: null, deposit_apr_close: null };
    for (const [bucketSeconds, buckets] of [
      [3_600, 24],
      [86_400, 1],
    ] as const) {
      const rows = await history(bucketSeconds, day, day + DAY);
      expect(rows).toHaveLength(buckets);
      for (const row of rows) expect(row).toMatchObject(unknown);
    }
  });

  it('stand where nothing was polled, before and after rolling up', async () => {
    const polled = (hour: number) => sampleWrite(new Date(day + hour * HOUR), { bank: 'reserve-a', kind: 'reserve' });
    await insert([polled(1), polled(50)]);
    await backfill(hourly(day, 3));
    const expected = [
      [day, 'backfill_venue_api', 0.2],
      [day + HOUR, 'poller', 0.05],
      [day + 2 * HOUR, 'backfill_venue_api', 0.2],
    ];
    expect(await sources(3_600)).toEqual(expected);
    await rollUpAll(day + DAY);
    expect(await sources(3_600)).toEqual(expected);
    await backfill(hourly(day, 3, '0.3'));
    expect(await sources(3_600)).toEqual(expected.map(([at, who, apr]) => [at, who, who === 'poller' ? apr : 0.3]));
  });

  it('make a day only where none of its hours was polled', async () => {
    await insert([
      sampleWrite(new Date(day + 5 * HOUR), { bank: 'reserve-a' }),
      sampleWrite(new Date(day + 3 * DAY), { bank: 'reserve-a' }),
    ]);
    await backfill(hourly(day, 48));
    const expected = [
      [day, 'poller', 0.05],
      [day + DAY, 'backfill_venue_api', 0.2],
    ];
    expect(await sources(86_400)).toEqual(expected);
    await rollUpAll(day + 2 * DAY);
    expect(await sources(86_400)).toEqual(expected);
    await backfill(hourly(day, 48));
    expect(await sources(86_400)).toEqual(expected);
  });

  it('make no day of the one that is not over', async () => {
    await backfill({ ...hourly(day, 30), askedAt: new Date(day + 30 * HOUR).toISOString() });
    const { days } = await readStored();
    expect(days).toMatchObject([{ bucket: new Date(day), covered_seconds: '86400.000000' }]);
  });

  it('leave a day alone whose polled hours are gone by age', async () => {
    await insert([
      sampleWrite(new Date(day + 5 * HOUR), { bank: 'reserve-a' }),
      sampleWrite(new Date(day + 3 * DAY), { bank: 'reserve-a' }),
    ]);
    await rollUpAll(day + 2 * DAY);
    await sql`delete from rate_hour`.execute(database.db);
    await backfill(hourly(day, 24));
    expect(await sources(86_400, day, day + DAY)).toEqual([[day, 'poller', 0.05]]);
  });

  it('give way to samples that come for them later', async () => {
    await backfill(hourly(day, 24));
    await insert([sampleWrite(new Date(day + 30 * HOUR), { bank: 'reserve-a' })]);
    await rollUpAll(day + DAY);
    expect(await sources(86_400, day, day + DAY)).toEqual([[day, 'backfill_venue_api', 0.2]]);
    await insert([sampleWrite(new Date(day + HOUR), { bank: 'reserve-a' })]);
    await rollUpAll(day + DAY);
    expect((await sources(3_600, day, day + 3 * HOUR)).map(([, source]) => source)).toEqual([
      'backfill_venue_api',
      'poller',
      'backfill_venue_api',
    ]);
    expect(await sources(86_400, day, day + DAY)).toEqual([[day, 'poller', 0.05]]);
  });
});

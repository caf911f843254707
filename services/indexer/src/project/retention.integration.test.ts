import { createLineLogger } from '@lending/fakes';
import { useDatabase } from '@lending/store/testing';
import { sql } from 'kysely';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { bankAddress, bankUpdated, rateSampled } from '#testing/messages.ts';
import { projectBankUpdated } from './bank-updated.ts';
import { projectRateSampled } from './rate-sampled.ts';
import { runRetention } from './retention.ts';

const PATIENCE = { timeout: 120_000, interval: 10 };

const BANK = bankAddress(1);
const database = useDatabase({ per: 'test' });
const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** One sample at noon of each day; the bank itself too, because only its samples tell the chain's time. */
async function writeSamples(days: readonly string[]): Promise<void> {
  await database.db.transaction().execute(async (transaction) => {
    await projectBankUpdated(transaction, [bankUpdated(BANK, 1n)]);
    const messages = days.map((day, nth) => ({ ...rateSampled(BANK, BigInt(nth)), time: `${day}T12:00:00Z` }));
    await projectRateSampled(transaction, messages);
    // As if every hour that ever was were rolled up.
    await sql`update rate_roll_up set settled_before = '2200-01-01', rolled_before = '2200-01-01'`.execute(transaction);
  });
}

async function readDays(): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select to_char(time at time zone 'utc', 'YYYY-MM-DD') as day from rate_sample order by day
  `.execute(database.db);
  return rows.map(({ day }) => day);
}

function startRetention(rawSampleDays: number, rateHourDays = 1_095) {
  const stopping = new AbortController();
  const { logger, lines } = createLineLogger();
  const { store } = database;
  const running = runRetention({ store, program: 'program', rawSampleDays, rateHourDays, logger }, stopping.signal);
  const stop = async (): Promise<void> => {
    stopping.abort();
    await running;
  };
  stops.push(stop);
  return { stop, lines };
}

describe('runRetention', () => {
  it.each([
    { keep: 1, at: '2026-11-21', kept: ['2026-11-20', '2026-11-21'] },
    { keep: 2, at: '2026-11-21', kept: ['2026-11-19', '2026-11-20', '2026-11-21'] },
    { keep: 30, at: '2026-11-21', kept: ['2026-11-18', '2026-11-19', '2026-11-20', '2026-11-21'] },
    { keep: 1, at: 'years in the past', kept: ['2021-03-01', '2021-03-02'] },
    { keep: 1, at: 'over a leap day', kept: ['2024-02-29', '2024-03-01'] },
  ])('keeps $keep days before the newest sample, $at', async ({ keep, kept }) => {
    const newest = Date.parse(`${kept.at(-1)}T00:00:00Z`);
    const days = [3, 2, 1, 0].map((ago) => new Date(newest - ago * 86_400_000).toISOString().slice(0, 10));
    await writeSamples(days);
    const { stop, lines } = startRetention(keep);
    const dropped = days.filter((day) => !kept.includes(day)).map((day) => `rate_sample_${day.replaceAll('-', '')}`);
    const said =
      dropped.length === 0 ? [] : [{ level: 'info', event: 'rate.partition.drop', fields: { partitions: dropped } }];
    if (dropped.length > 0) await vi.waitFor(() => expect(lines).toEqual(said), PATIENCE);
    await stop();
    expect(await readDays()).toEqual(kept);
    expect(lines).toEqual(said);
  });

  it('does not take the time of a sample from the future for now', async () => {
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
    const [old, ...kept] = [daysAgo(9), daysAgo(3), daysAgo(1), '2099-01-01'];
    await writeSamples([old, ...kept]);
    const { stop, lines } = startRetention(5);
    await vi.waitFor(() => expect(lines).toHaveLength(1), PATIENCE);
    await stop();
    expect(lines[0]?.fields).toEqual({ partitions: [`rate_sample_${old.replaceAll('-', '')}`] });
    expect(await readDays()).toEqual(kept);
  });

  it('drops nothing while there is no sample', async () => {
    await sql`create table rate_sample_20200101 partition of rate_sample for values from ('2020-01-01') to ('2020-01-02')`.execute(
      database.db,
    );
    const { stop, lines } = startRetention(1);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await stop();
    expect(lines).toEqual([]);
    const { rows } = await sql`select from pg_class where relname = 'rate_sample_20200101'`.execute(database.db);
    expect(rows).toHaveLength(1);
  });

  it('keeps a day that is not rolled up yet', async () => {
    await writeSamples(['2026-11-01', '2026-11-02', '2026-11-21']);
    await sql`update rate_roll_up set rolled_before = '2026-11-02T23:00:00Z'`.execute(database.db);
    const { stop, lines } = startRetention(1);
    await vi.waitFor(() => expect(lines).toHaveLength(1), PATIENCE);
    await stop();
    expect(await readDays()).toEqual(['2026-11-02', '2026-11-21']);
  });

  it('deletes hours that are older than allowed and keeps their days', async () => {
    await writeSamples(['2026-11-20', '2026-11-21']);
    await sql`
      insert into rate_hour (series, bucket, source, samples, covered_seconds, time_first, time_last)
      select id, bucket, 'poller', 1, 3600, bucket, bucket
      from rate_series, generate_series('2026-09-01Z'::timestamptz, '2026-11-21Z', '1 hour') as bucket;
      insert into rate_day (series, bucket, source, samples, covered_seconds, time_first, time_last)
      select series, bucket, 'poller', 1, 3600, bucket, bucket from rate_hour where extract(hour from bucket at time zone 'utc') = 0
    `.execute(database.db);
    const { stop, lines } = startRetention(30, 40);
    await vi.waitFor(() => expect(lines.map(({ event }) => event)).toEqual(['rate.hours.delete']), PATIENCE);
    await stop();
    const { rows } =
      await sql`select min(bucket) as hour, (select min(bucket) from rate_day) as day from rate_hour`.execute(
        database.db,
      );
    expect(rows).toEqual([{ hour: new Date('2026-10-12T00:00:00Z'), day: new Date('2026-09-01T00:00:00Z') }]);
  });

  it('forgets what was read of the program’s past long ago, but the newest', async () => {
    await sql`
      insert into index_progress (task, kind, address, from_slot, until_slot, done, is_complete, source, slot, slot_time)
      select 'activity:program:' || day, 'activity', 'program', day, 1, 0, true, 'chain', day, '2026-11-01Z'::timestamptz + make_interval(days => day)
      from generate_series(2, 4) as day;
      insert into chain_progress (tip_slot, tip_time, root_slot, source) values (9, '2026-11-09Z', 8, 'chain')
    `.execute(database.db);
    startRetention(1);
    const read = async () => (await sql<{ task: string }>`select task from index_progress`.execute(database.db)).rows;
    await vi.waitFor(async () => expect(await read()).toEqual([{ task: 'activity:program:4' }]), PATIENCE);
  });

  it('says that it could not drop, and keeps the samples', async () => {
    await writeSamples(['2026-11-01', '2026-11-21']);
    await database.db.transaction().execute(async (reading) => {
      await sql`select from rate_sample`.execute(reading);
      const { lines } = startRetention(1);
      await vi.waitFor(() => expect(lines.map(({ event }) => event)).toEqual(['rate.partition.keep']), PATIENCE);
    });
    expect(await readDays()).toEqual(['2026-11-01', '2026-11-21']);
  });
});

import {
  readRateHistory,
  readRollUpMarks,
  readTrailingRates,
  rollUpNext,
  type Store,
  settleRates,
} from '@lending/store';
import { sql } from 'kysely';
import { startBenchServer } from './history/bench-database.ts';
import { fillSamples } from './history/fill-samples.ts';
import { parseArguments } from './history/parse-arguments.ts';
import {
  addressOf,
  DENSE_SAMPLES,
  SERIES,
  type SyntheticSamples,
  timeMsOf,
  YEAR_MS,
} from './history/synthetic-samples.ts';
import { rounded, spreadOf } from './measure/statistics.ts';
import { figure, once, printResult } from './report/result.ts';

/**
 * A year of hours of one bank, read from a store of `--rows` samples (default a million; 1e8 is what is asked for) and from one with a
 * hundredth of its series, in turns: the same query and the same output. Rolls up all samples first, which is measured, too. Prints a
 * JSON line. `--data <folder>` goes on with what `rate-ingest.ts` left there.
 */
const GOAL = { of: 'ratio', is: 'atMost', value: 1.5 } as const;
const ROUNDS = 30;

const { rows, data } = parseArguments();
/** Spread over a year, however many; but what was loaded already is as dense as it is. */
const large: SyntheticSamples =
  data === undefined ? { series: SERIES, beatMs: YEAR_MS / (rows / SERIES) } : DENSE_SAMPLES;
const small: SyntheticSamples = { ...large, series: SERIES / 100 };

const server = await startBenchServer(data);
try {
  const stores = {
    large: (await server.open(data === undefined ? 'large' : 'ingest')).store,
    small: (await server.open('small')).store,
  };
  const prepared = {
    large: await prepare(stores.large, large, rows),
    small: await prepare(stores.small, small, rows / 100),
  };
  const times: Record<'large' | 'small', number[]> = { large: [], small: [] };
  const days: Record<'large' | 'small', number[]> = { large: [], small: [] };
  const outputs = { large: '', small: '' };
  for (let round = 0; round < ROUNDS + 3; round += 1) {
    for (const size of round % 2 === 0 ? (['large', 'small'] as const) : (['small', 'large'] as const)) {
      const hours = await timed(() => readYear(stores[size], 3_600));
      const daily = await timed(() => readYear(stores[size], 86_400));
      outputs[size] = hours.result;
      // The first rounds warm up what runs and what is remembered.
      if (round < 3) continue;
      times[size].push(hours.ms);
      days[size].push(daily.ms);
    }
  }
  if (outputs.large !== outputs.small) throw new Error('The two stores answer differently');
  const trailing = await Promise.all(
    [7, 30].map(async (span) => [span, await timeTrailing(stores.large, span)] as const),
  );
  const compared = (what: string, ours: readonly number[], yardstick: readonly number[]) =>
    figure({
      goal: 'history',
      what: `${what}, ${rows} samples against ${rows / 100}`,
      unit: 'ms',
      ours: spreadOf(ours),
      yardstick: spreadOf(yardstick),
      ratio: spreadOf(ours.map((ms, round) => ms / (yardstick[round] ?? Number.NaN))),
      bound: GOAL,
    });
  const disk = await readDisk(stores.large);
  const stored = (what: string, table: string) =>
    figure({
      goal: null,
      what: `${what}, indexes included`,
      unit: 'bytes',
      ours: once(disk[table]?.bytesPerRow ?? Number.NaN),
    });
  printResult(
    'a year of hours of one bank',
    [
      compared('a year of hours', times.large, times.small),
      compared('a year of days', days.large, days.small),
      stored('an hour of a bank in the table', 'rate_hour'),
      stored('a day of a bank in the table', 'rate_day'),
    ],
    {
      rows,
      hours: outputs.large === '' ? 0 : JSON.parse(outputs.large).length,
      trailingMsOfAllSeries: Object.fromEntries(trailing),
      prepared,
      disk,
    },
  );
} finally {
  await server.stop();
}

/** Makes the samples unless they are there, and rolls them up. */
async function prepare(store: Store, samples: SyntheticSamples, count: number) {
  const { rolledBefore } = await readRollUpMarks(store.db);
  if (rolledBefore !== null) return { filledPerSecond: null, rolledPerSecond: null };
  const isThere = await sql`select from rate_sample limit 1`.execute(store.db);
  const filling = await timed(async () => {
    if (isThere.rows.length === 0) await fillSamples(store, samples, 0, count);
  });
  await sql`vacuum analyze`.execute(store.db);
  const endMs = Math.floor(timeMsOf(samples, count) / 3_600_000) * 3_600_000;
  const rolling = await timed(async () => {
    await settleRates(store.db, new Date(endMs));
    while ((await rollUpNext(store.db)) !== null);
  });
  // What vacuuming in the background does by itself within a minute.
  await sql`vacuum analyze`.execute(store.db);
  return {
    filledPerSecond: isThere.rows.length === 0 ? rounded(count / (filling.ms / 1000)) : null,
    rolledPerSecond: rounded(count / (rolling.ms / 1000)),
  };
}

async function readYear(store: Store, bucketSeconds: number): Promise<string> {
  const start = timeMsOf(large, 0);
  const range = { start: new Date(start), end: new Date(start + YEAR_MS), bucketSeconds };
  return JSON.stringify(await readRateHistory(store.db, { banks: [addressOf(0)], ...range }), (_, value) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
}

async function timeTrailing(store: Store, days: number): Promise<number> {
  const until = new Date(timeMsOf(large, rows - 1));
  const all: number[] = [];
  for (let round = 0; round < 5; round += 1) all.push((await timed(() => readTrailingRates(store.db, until, days))).ms);
  return rounded(Math.min(...all));
}

async function timed<Result>(work: () => Promise<Result>): Promise<{ readonly ms: number; readonly result: Result }> {
  const start = performance.now();
  const result = await work();
  return { ms: performance.now() - start, result };
}

async function readDisk(store: Store) {
  const { rows: found } = await sql<{ table: string; rows: string; bytes: string }>`
    select 'rate_hour' as table, (select count(*) from rate_hour)::text as rows, pg_total_relation_size('rate_hour')::text as bytes
    union all
    select 'rate_day', (select count(*) from rate_day)::text, pg_total_relation_size('rate_day')::text
    union all
    select 'rate_sample', (select count(*) from rate_sample)::text, sum(pg_total_relation_size(inhrelid))::text
    from pg_inherits where inhparent = 'rate_sample'::regclass
  `.execute(store.db);
  return Object.fromEntries(
    found.map(({ table, rows: count, bytes }) => [
      table,
      { rows: Number(count), bytesPerRow: rounded(Number(bytes) / Number(count)), GB: rounded(Number(bytes) / 1e9) },
    ]),
  );
}

import { setTimeout as sleep } from 'node:timers/promises';
import { type Bus, createBus } from '@lending/bus';
import { runProjector } from '@lending/indexer';
import { createLogger, createMetrics, createReadiness } from '@lending/runtime';
import { hasKafka, KAFKA_NEEDS, type KafkaBroker, startKafkaBroker } from '@lending/testing';
import { sql } from 'kysely';
import { type BenchDatabase, startBenchServer } from './history/bench-database.ts';
import { copySamples } from './history/copy-samples.ts';
import { fillSamples } from './history/fill-samples.ts';
import { parseArguments } from './history/parse-arguments.ts';
import { DENSE_SAMPLES, messageOf } from './history/synthetic-samples.ts';
import { argumentOf } from './measure/config.ts';
import { rounded, type Spread, spreadOf } from './measure/statistics.ts';
import { figure, markMeasuring, once, printResult } from './report/result.ts';

/**
 * How fast rate samples become rows: from the log through the projector, against COPY of rows of the same kind into the same table, in
 * turns. Measured again as the table grows, up to `--rows` (default a million; 1e8 is what is asked for). Prints a JSON line.
 * `--log kafka` takes them from a real broker instead of the log in Postgres; `--data <folder>` keeps the database there, for
 * `rate-history.ts` to go on with; `--rounds 2 --samples 20000` for a quick look.
 */
const GOAL = { of: 'ratio', is: 'atLeast', value: 0.6 } as const;
/** What is still called flat: rounds of one size differ by more. */
const FLAT = { of: 'ratio', is: 'atLeast', value: 0.8 } as const;

const { rows, data, log } = parseArguments();
/** Samples of one measurement. */
const PER_ROUND = argumentOf('--samples', 120_000);
const ROUNDS = argumentOf('--rounds', 5);
const LOG_NAMES = { embedded: 'the log in Postgres', kafka: 'Kafka' } as const;

const server = await startBenchServer(data);
const broker = log === 'kafka' ? await startBroker() : undefined;
try {
  const database = await server.open('ingest');
  const measured: Measured[] = [];
  let next = 0;
  // The first million warms up what runs, and is the first size measured.
  for (const size of sizesUpTo(rows)) {
    const before = performance.now();
    const start = Math.max(next, size - 2 * ROUNDS * PER_ROUND);
    if (start > next) await fillSamples(database.store, DENSE_SAMPLES, next, start);
    const filledPerSecond = start > next ? Math.round((start - next) / ((performance.now() - before) / 1000)) : null;
    measured.push({ ...(await measureAt(database, start)), filledPerSecond });
    next = start + 2 * ROUNDS * PER_ROUND;
  }
  const figures = measured.map((size) =>
    figure({
      goal: 'projecting',
      what: `from ${LOG_NAMES[log]}, table of ${millions(size.rows)} rows`,
      unit: 'rows/s',
      ours: size.ours,
      yardstick: size.copy,
      ratio: size.ratio,
      bound: GOAL,
    }),
  );
  const disk = await readDisk(database);
  figures.push(
    ...flatness(measured),
    figure({
      goal: null,
      what: 'a sample in the table, indexes included',
      unit: 'bytes',
      ours: once(disk.heapBytesPerSample + disk.indexBytesPerSample),
    }),
  );
  printResult(`rate samples from ${LOG_NAMES[log]} to rows`, figures, { measured, disk });
} finally {
  await broker?.stop();
  await server.stop();
}

interface Measured {
  readonly rows: number;
  readonly ours: Spread;
  readonly copy: Spread;
  readonly ratio: Spread;
  readonly filledPerSecond: number | null;
}

/** The largest table against the smallest, where there are two. */
function flatness(measured: readonly Measured[]) {
  const [first] = measured;
  const last = measured.at(-1);
  if (first === undefined || last === undefined || first === last) return [];
  return [
    figure({
      goal: 'projecting',
      what: `flat: ${millions(last.rows)} rows against ${millions(first.rows)}`,
      unit: 'rows/s',
      ours: last.ours,
      yardstick: first.ours,
      ratio: once(last.ours.median / first.ours.median),
      bound: FLAT,
    }),
  ];
}

function millions(count: number): string {
  return `${rounded(count / 1e6)} million`;
}

async function startBroker(): Promise<KafkaBroker> {
  if (!(await hasKafka())) throw new Error(`A Kafka broker ${KAFKA_NEEDS}`);
  return await startKafkaBroker();
}

function openBus(connectionString: string): Promise<Bus> {
  if (broker === undefined) return createBus({ kind: 'embedded', connectionString });
  return createBus({ kind: 'kafka', brokers: broker.brokers });
}

/** A million, then ten times as many again and again, and the number asked for. */
function sizesUpTo(most: number): number[] {
  const sizes: number[] = [];
  for (let size = 1_000_000; size < most; size *= 10) sizes.push(size);
  return [...sizes, Math.max(most, 2 * ROUNDS * PER_ROUND)];
}

async function measureAt(database: BenchDatabase, from: number) {
  markMeasuring();
  const ours: number[] = [];
  const copy: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = from + round * 2 * PER_ROUND;
    // In turns, so that neither always comes after the other.
    if (round % 2 === 0) {
      ours.push(await project(database, start));
      copy.push(await copySamples(database, DENSE_SAMPLES, start + PER_ROUND, PER_ROUND));
    } else {
      copy.push(await copySamples(database, DENSE_SAMPLES, start, PER_ROUND));
      ours.push(await project(database, start + PER_ROUND));
    }
  }
  const ratios = ours.map((each, round) => each / (copy[round] ?? Number.NaN));
  return {
    rows: from + 2 * ROUNDS * PER_ROUND,
    ours: spreadOf(ours),
    copy: spreadOf(copy),
    ratio: spreadOf(ratios),
  };
}

/** Rows a second from a full log to a projector that stands at its end. */
async function project({ connectionString, store }: BenchDatabase, from: number): Promise<number> {
  const bus = await openBus(connectionString);
  try {
    for (let nth = from; nth < from + PER_ROUND; nth += 1_000) {
      await bus.publish(Array.from({ length: 1_000 }, (_, step) => messageOf(DENSE_SAMPLES, nth + step)));
    }
    const stopping = new AbortController();
    const logger = createLogger({ level: 'silent', name: 'bench' });
    const before = await countProjected({ store });
    const running = runProjector(
      { bus, store, logger, metrics: createMetrics(), readiness: createReadiness() },
      stopping.signal,
    );
    // Joining the group is not projecting: the clock starts with the first batch.
    while ((await countProjected({ store })) === before) await sleep(1);
    const alreadyThere = (await countProjected({ store })) - before;
    const start = performance.now();
    while ((await countProjected({ store })) < before + PER_ROUND) await sleep(10);
    const seconds = (performance.now() - start) / 1000;
    stopping.abort();
    await running;
    if (log === 'embedded') await sql`truncate log_message`.execute(store.db);
    return (PER_ROUND - alreadyThere) / seconds;
  } finally {
    await bus.close();
  }
}

/** Offsets count messages here: the log has no holes. */
async function countProjected({ store }: Pick<BenchDatabase, 'store'>): Promise<number> {
  const { rows: found } = await sql<{ count: string }>`
    select coalesce(sum(next_offset), 0)::text as count from consumer_offset where topic = 'rate.sampled.v1'
  `.execute(store.db);
  return Number(found[0]?.count ?? 0);
}

async function readDisk({ store }: BenchDatabase) {
  const { rows: found } = await sql<{ rows: string; heap: string; index: string }>`
    select
      (select count(*) from rate_sample)::text as rows,
      sum(pg_table_size(inhrelid))::text as heap,
      sum(pg_indexes_size(inhrelid))::text as index
    from pg_inherits
    where inhparent = 'rate_sample'::regclass
  `.execute(store.db);
  const [count, heap, index] = [found[0]?.rows, found[0]?.heap, found[0]?.index].map(Number) as [
    number,
    number,
    number,
  ];
  return {
    rows: count,
    heapBytesPerSample: rounded(heap / count),
    indexBytesPerSample: rounded(index / count),
    totalGB: rounded((heap + index) / 1e9),
  };
}

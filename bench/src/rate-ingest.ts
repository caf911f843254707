import { availableParallelism, cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { createBus } from '@lending/bus';
import { runProjector } from '@lending/indexer';
import { createLogger, createMetrics, createReadiness } from '@lending/runtime';
import { sql } from 'kysely';
import { type BenchDatabase, startBenchServer } from './history/bench-database.ts';
import { copySamples } from './history/copy-samples.ts';
import { fillSamples } from './history/fill-samples.ts';
import { parseArguments } from './history/parse-arguments.ts';
import { DENSE_SAMPLES, messageOf } from './history/synthetic-samples.ts';
import { rounded, spreadOf } from './measure/spread.ts';

/**
 * How fast rate samples become rows: from the embedded log through the projector, against COPY of rows of the same kind into the same
 * table, in turns. Measured again as the table grows, up to `--rows` (default a million; 1e8 is what is asked for). Prints a JSON line.
 * `--data <folder>` keeps the database there, for `rate-history.ts` to go on with.
 */
const GOAL = 0.6;
/** Samples of one measurement. */
const PER_ROUND = 120_000;
const ROUNDS = 5;

const { rows, data } = parseArguments();
const server = await startBenchServer(data);
try {
  const database = await server.open('ingest');
  const measured = [];
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
  const first = measured[0]?.ours.median ?? Number.NaN;
  const last = measured.at(-1)?.ours.median ?? Number.NaN;
  console.log(
    JSON.stringify({
      bench: 'rate samples from the log to rows',
      goal: GOAL,
      isReached: measured.every(({ ratio }) => ratio.median >= GOAL),
      measured,
      lastToFirst: rounded(last / first),
      disk: await readDisk(database),
      machine: { cpu: cpus()[0]?.model, cores: availableParallelism(), node: process.version },
    }),
  );
} finally {
  await server.stop();
}

/** A million, then ten times as many again and again, and the number asked for. */
function sizesUpTo(most: number): number[] {
  const sizes: number[] = [];
  for (let size = 1_000_000; size < most; size *= 10) sizes.push(size);
  return [...sizes, Math.max(most, 2 * ROUNDS * PER_ROUND)];
}

async function measureAt(database: BenchDatabase, from: number) {
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
  const bus = await createBus({ kind: 'embedded', connectionString });
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
    await sql`truncate log_message`.execute(store.db);
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

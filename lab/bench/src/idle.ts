import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDataDir, type RunningProcess, startProcess } from '@lending/testing';
import { argumentOf } from './measure/config.ts';
import { highestResidentMb, INSPECTED, openLiveHeap, processorMs, residentMb } from './measure/process.ts';
import { type Sample, slopeOf, spreadOf } from './measure/statistics.ts';
import { figure, once, printResult } from './report/result.ts';

/**
 * What the one-process shape takes without requests: with the demo market of two transactions a second, and beside it the same
 * process without the market. Postgres is another process and not counted. Prints a line a minute to the error stream and a JSON line at
 * the end. `--minutes 10`, `60` or `120`.
 */
const GOAL = { cpuPercent: 10, residentMb: 450, slopeMbPerHour: 10 };
const MINUTES = argumentOf('--minutes', 120);
const MINUTE_MS = 60_000;
/** In these it starts, compiles, and quotes every pair for the first time. */
const STARTING_MINUTES = 3;
/** Collecting garbage takes time itself, so it is done seldom. */
const HEAP_EVERY = 5;
const FLAT_AFTER_MINUTES = 60;

interface Subject {
  readonly name: string;
  readonly running: RunningProcess;
  readonly heap: Awaited<ReturnType<typeof openLiveHeap>>;
  readonly stop: () => Promise<void>;
  usedMs: number;
  readonly cpuPercent: number[];
  readonly residentMb: Sample[];
  readonly heapMb: Sample[];
}

const subjects: Subject[] = [];
try {
  const market = await open('with the market', {});
  const quiet = await open('without', { LOCALNET_TRANSACTIONS_PER_SECOND: '0' });
  let measuredAt = performance.now();
  for (let minute = 1; minute <= MINUTES; minute += 1) {
    await sleep(measuredAt + MINUTE_MS - performance.now());
    const now = performance.now();
    for (const subject of subjects) await look(subject, minute, now - measuredAt);
    measuredAt = now;
  }
  const isLong = MINUTES > FLAT_AFTER_MINUTES;
  const since = isLong ? `after ${FLAT_AFTER_MINUTES} minutes` : 'in the second half';
  const slope = (what: string, samples: readonly Sample[]) =>
    figure({
      goal: null,
      what: `${what} grows ${since}`,
      unit: 'MB/hour',
      ours: once(slopeOf(samples.filter(([hours]) => hours * 60 >= (isLong ? FLAT_AFTER_MINUTES : MINUTES / 2)))),
      ...(isLong && { bound: { of: 'ours', is: 'atMost', value: GOAL.slopeMbPerHour } as const }),
    });
  printResult(
    'idle',
    [
      figure({
        goal: null,
        what: 'processor time, beside the same process without the market',
        unit: '% of a core',
        ours: spreadOf(settled(market)),
        yardstick: spreadOf(settled(quiet)),
        bound: { of: 'ours', is: 'atMost', value: GOAL.cpuPercent },
      }),
      figure({
        goal: null,
        what: 'resident memory, at its highest',
        unit: 'MB',
        ours: once(highestResidentMb(market.running.child.pid)),
        yardstick: once(highestResidentMb(quiet.running.child.pid)),
        bound: { of: 'ours', is: 'atMost', value: GOAL.residentMb },
      }),
      slope('resident memory', market.residentMb),
      slope('the live heap', market.heapMb),
    ],
    {
      minutes: MINUTES,
      subjects: subjects.map(({ name, cpuPercent, residentMb: resident, heapMb }) => ({
        name,
        cpuPercent,
        resident,
        heapMb,
      })),
    },
  );
} finally {
  for (const { stop } of subjects) await stop();
}

async function open(name: string, env: Readonly<Record<string, string>>): Promise<Subject> {
  const dataDir = await createDataDir('bench-idle');
  // With the settings that it has by itself: what tests set apart is not what users have.
  const running = await startProcess({
    entry: 'embedded/src/main.ts',
    env: { DATA_DIR: dataDir, API_PORT: '0', LOCALNET_PORT: '0', ...INSPECTED, ...env },
    readyLine: /REST\s+(https?:\/\/\S+?)\/v1\/banks/,
  });
  const heap = await openLiveHeap(running);
  const stop = async () => {
    heap.close();
    await running.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  const usedMs = processorMs(running.child.pid);
  const subject = { name, running, heap, stop, usedMs, cpuPercent: [], residentMb: [], heapMb: [] };
  subjects.push(subject);
  return subject;
}

async function look(subject: Subject, minute: number, elapsedMs: number): Promise<void> {
  const { name, running, heap } = subject;
  const usedMs = processorMs(running.child.pid);
  const percent = (100 * (usedMs - subject.usedMs)) / elapsedMs;
  const resident = residentMb(running.child.pid);
  subject.cpuPercent.push(percent);
  subject.residentMb.push([minute / 60, resident]);
  const isHeapDue = minute % HEAP_EVERY === 0 || minute === MINUTES;
  const heapMb = isHeapDue ? await heap.measure() : null;
  if (heapMb !== null) subject.heapMb.push([minute / 60, heapMb]);
  // What measuring took is not what it takes.
  subject.usedMs = processorMs(running.child.pid);
  const live = heapMb === null ? '' : `, ${heapMb.toFixed(1)} MB of heap live`;
  process.stderr.write(
    `minute ${minute}, ${name}: ${percent.toFixed(1)} % of a core, ${resident} MB resident${live}\n`,
  );
}

function settled({ cpuPercent }: Subject): readonly number[] {
  return cpuPercent.slice(cpuPercent.length > STARTING_MINUTES ? STARTING_MINUTES : 0);
}

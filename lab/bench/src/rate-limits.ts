import { createRateLimiter, createRateStore, type RateLimiter } from '@lending/api';
import { createLogger, createMetrics } from '@lending/runtime';
import { sql } from 'kysely';
import { startBenchServer } from './history/bench-database.ts';
import { percentilesOf, rounded, spreadOf } from './measure/statistics.ts';
import { figure, once, printResult } from './report/result.ts';

/**
 * What counting costs a request: at the limits of the specification, where the database grants each, beside the least that can be asked of
 * it; where a client has nothing left; and at the limits of benchmarks, where requests are granted by the handful.
 */
const ROUNDS = 8;
const ASKED = 400;
const AT_ONCE = 20;
const IN_MEMORY = 200_000;

const SPECIFIED = { mcp: 120, v1: 60, tx: 10, leverage: 4 } as const;
/** More than any of this asks in a minute. */
const RAISED = { mcp: 100_000_000, v1: 100_000_000, tx: 100_000_000, leverage: 100_000_000 } as const;

const server = await startBenchServer(undefined);
try {
  const { store } = await server.open('bench');
  const open = (limits: typeof SPECIFIED | typeof RAISED): RateLimiter =>
    createRateLimiter({
      limits,
      store: createRateStore(store.db),
      logger: createLogger({ level: 'warn', name: 'bench' }),
      metrics: createMetrics(),
    });
  const specified = open(SPECIFIED);
  const raised = open(RAISED);
  let clients = 0;
  const newClient = () => {
    clients += 1;
    return `client ${clients}`;
  };
  const contenders = {
    leastMs: () => sql`select 1`.execute(store.db),
    newClientMs: () => specified.spend(newClient(), ['v1'], 1),
    // As many as a hundred that count already.
    busyClientMs: (nth: number, round: number) => specified.spend(`busy ${round} ${nth % 4}`, ['mcp'], 1),
    threeScopesMs: () => specified.spend(newClient(), ['v1', 'tx', 'leverage'], 1),
  };
  const times: Record<string, number[]> = {};
  const perSecond: Record<string, number[]> = { least: [], specified: [] };
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const [name, run] of Object.entries(contenders)) {
      const taken = await timeEach((nth) => run(nth, round));
      if (round >= 0) times[name] = [...(times[name] ?? []), ...taken];
    }
    const least = await throughputOf(contenders.leastMs);
    const granted = await throughputOf(contenders.newClientMs);
    if (round < 0) continue;
    perSecond.least?.push(least);
    perSecond.specified?.push(granted);
  }
  for (let nth = 0; nth < SPECIFIED.v1; nth += 1) await specified.spend('emptied', ['v1'], 1);
  const refusedNs = await nanosecondsOf(() => specified.spend('emptied', ['v1'], 1));
  const raisedNs = await nanosecondsOf(() => raised.spend('eager', ['v1'], 1));
  const raisedTwoNs = await nanosecondsOf(() => raised.spend('builder', ['v1', 'tx'], 1));
  await specified.close();
  await raised.close();
  const { least = [], specified: granted = [] } = perSecond;
  const told = { goal: null } as const;
  printResult(
    'counting a request',
    [
      figure({
        ...told,
        what: 'requests counted by the database, beside the least that it can be asked',
        unit: 'requests/s',
        ours: spreadOf(granted),
        yardstick: spreadOf(least),
        ratio: spreadOf(granted.map((each, index) => each / (least[index] ?? Number.NaN))),
      }),
      figure({
        ...told,
        what: 'counting one by the database, p50 of its time, beside the least that it can be asked',
        unit: 'ms',
        ours: once(percentilesOf(times.newClientMs ?? [], 0).p50Ms),
        yardstick: once(percentilesOf(times.leastMs ?? [], 0).p50Ms),
      }),
      figure({ ...told, what: 'counting a request at limits nobody reaches', unit: 'ns', ours: once(raisedNs) }),
      figure({ ...told, what: 'the same in two scopes', unit: 'ns', ours: once(raisedTwoNs) }),
      figure({ ...told, what: 'refusing a request', unit: 'ns', ours: once(refusedNs) }),
    ],
    {
      specified: Object.fromEntries(Object.entries(times).map(([name, ms]) => [name, percentilesOf(ms, 0)])),
      atOnce: AT_ONCE,
    },
  );
} finally {
  await server.stop();
}

/** One after the other. */
async function timeEach(run: (nth: number) => Promise<unknown>): Promise<number[]> {
  const ms: number[] = [];
  for (let nth = 0; nth < ASKED; nth += 1) {
    const from = performance.now();
    await run(nth);
    ms.push(performance.now() - from);
  }
  return ms;
}

/** Some at once, a second. */
async function throughputOf(run: (nth: number) => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let nth = 0; nth < ASKED / 4; nth += 1) await run(nth);
    }),
  );
  return ((AT_ONCE * ASKED) / 4 / (performance.now() - from)) * 1_000;
}

async function nanosecondsOf(run: () => Promise<unknown>): Promise<number> {
  for (let nth = 0; nth < IN_MEMORY / 10; nth += 1) await run();
  const from = process.hrtime.bigint();
  for (let nth = 0; nth < IN_MEMORY; nth += 1) await run();
  return rounded(Number(process.hrtime.bigint() - from) / IN_MEMORY);
}

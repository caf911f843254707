import { ACTIONS, type Borrower, openBorrower, postBuild } from './builds/borrower.ts';
import { listP0Banks, openWorld, untilKnown, type World } from './builds/open-world.ts';
import { argumentOf } from './measure/config.ts';
import { residentMb } from './measure/process.ts';
import { percentilesOf, spreadOf } from './measure/statistics.ts';
import { figure, once, printResult } from './report/result.ts';

/**
 * Two questions about builds under load, each a JSON line; clients may build as many at once as there are builders here. Does a build take
 * longer when 100,000 accounts are indexed: two chains, two services, builds in turns. Do 50 builds at once starve the reads: the same reads
 * without builds and with 50 always under way, in turns.
 * `--accounts 1000 --rounds 20` for a quick look, `--builders 4` for fewer.
 */
const ACCOUNTS = argumentOf('--accounts', 100_000);
const ROUNDS = argumentOf('--rounds', 200);
const BUILDERS = argumentOf('--builders', 50);
/** Reads under way at once, and how long each phase of the second question lasts. */
const READERS = 2;
const PHASE_MS = 5_000;
const PHASES = 4;
const GOAL = {
  crowdedToEmpty: { of: 'ratio', is: 'atMost', value: 1.1 },
  readP95: { of: 'ours', is: 'atMost', value: 100 },
} as const;

const empty = await openWorld({ accounts: 0 });
const crowded = await openWorld({ accounts: ACCOUNTS });
try {
  const worlds = { empty: await settle(empty), crowded: await settle(crowded) };
  await compareBuilds(worlds);
  await compareReads(worlds.crowded);
} finally {
  await crowded.stop();
  await empty.stop();
}

interface Settled {
  readonly world: World;
  readonly owner: { readonly authority: string; readonly account: string };
}

async function settle(world: World): Promise<Settled> {
  const { sdk, account }: Borrower = await openBorrower(world.rpcUrl, await listP0Banks(world.rpcUrl));
  await untilKnown(`${world.baseUrl}/v1/health/${account}`);
  return { world, owner: { authority: sdk.wallet, account } };
}

async function compareBuilds(worlds: { readonly empty: Settled; readonly crowded: Settled }): Promise<void> {
  const timesOf = { empty: [] as number[], crowded: [] as number[] };
  const ratios: number[] = [];
  for (let round = -10; round < ROUNDS; round += 1) {
    const took = { empty: 0, crowded: 0 };
    for (const name of round % 2 === 0 ? (['empty', 'crowded'] as const) : (['crowded', 'empty'] as const)) {
      for (const action of ACTIONS) {
        const ms = await timed(() => build(worlds[name], action));
        took[name] += ms;
        if (round >= 0) timesOf[name].push(ms);
      }
    }
    if (round >= 0) ratios.push(took.crowded / took.empty);
  }
  const empty = percentilesOf(timesOf.empty, 0);
  const crowded = percentilesOf(timesOf.crowded, 0);
  const accounts = { empty: worlds.empty.world.indexed, crowded: worlds.crowded.world.indexed };
  const compared = figure({
    goal: null,
    what: `p50 of a build with ${accounts.crowded} accounts indexed, beside ${accounts.empty}`,
    unit: 'ms',
    ours: once(crowded.p50Ms),
    yardstick: once(empty.p50Ms),
    ratio: spreadOf(ratios),
    bound: GOAL.crowdedToEmpty,
  });
  printResult('builds and what is indexed', [compared], { accounts, rounds: ROUNDS, empty, crowded });
}

async function compareReads(settled: Settled): Promise<void> {
  const { world } = settled;
  const results = { alone: newTally(), withBuilds: newTally() };
  const builds = newTally();
  await readFor(world, 1_000, newTally());
  for (let phase = 0; phase < PHASES; phase += 1) {
    await readFor(world, PHASE_MS, results.alone);
    const building = new AbortController();
    const builders = Array.from({ length: BUILDERS }, (_, nth) => buildUntil(settled, nth, building.signal, builds));
    await readFor(world, PHASE_MS, results.withBuilds);
    building.abort();
    await Promise.all(builders);
  }
  const alone = percentilesOf(results.alone.ms, results.alone.failed);
  const withBuilds = percentilesOf(results.withBuilds.ms, results.withBuilds.failed);
  const isWhole = withBuilds.failed === 0 && builds.failed === 0;
  const read = figure({
    goal: null,
    what: `p95 of reads beside ${BUILDERS} builds at once`,
    unit: 'ms',
    // What failed is no fast answer.
    ours: once(isWhole ? withBuilds.p95Ms : Number.NaN),
    yardstick: once(alone.p95Ms),
    bound: GOAL.readP95,
  });
  const built = figure({
    goal: null,
    what: `plain builds of one api, ${BUILDERS} at once, beside reads`,
    unit: 'builds/s',
    ours: once(builds.ms.length / ((PHASES * PHASE_MS) / 1_000)),
  });
  printResult('reads beside builds', [read, built], {
    accounts: world.indexed,
    readers: READERS,
    builders: BUILDERS,
    alone,
    withBuilds,
    builds: percentilesOf(builds.ms, builds.failed),
    apiMb: residentMb(world.api.pid),
  });
}

interface Tally {
  readonly ms: number[];
  failed: number;
}

function newTally(): Tally {
  return { ms: [], failed: 0 };
}

async function readFor(world: World, forMs: number, tally: Tally): Promise<void> {
  const until = performance.now() + forMs;
  let next = 0;
  const reader = async () => {
    while (performance.now() < until) {
      const subject = world.subjects[next++ % world.subjects.length];
      const path = next % 2 === 0 ? `/v1/health/${subject?.account}` : `/v1/account/${subject?.authority}`;
      await count(tally, async () => {
        const response = await fetch(world.baseUrl + path);
        await response.arrayBuffer();
        if (response.status !== 200) throw new Error(`HTTP ${response.status}`);
      });
    }
  };
  await Promise.all(Array.from({ length: READERS }, reader));
}

async function buildUntil(settled: Settled, nth: number, signal: AbortSignal, tally: Tally): Promise<void> {
  for (let turn = nth; !signal.aborted; turn += 1) {
    const action = ACTIONS[turn % ACTIONS.length];
    if (action !== undefined) await count(tally, () => build(settled, action));
  }
}

async function count(tally: Tally, work: () => Promise<void>): Promise<void> {
  const from = performance.now();
  try {
    await work();
    tally.ms.push(performance.now() - from);
  } catch {
    tally.failed += 1;
  }
}

function build({ world, owner }: Settled, action: (typeof ACTIONS)[number]): Promise<void> {
  const { kind, bank, amount } = action;
  return postBuild(world.baseUrl, `/v1/tx/${kind}`, { ...owner, bank, amount });
}

async function timed(work: () => Promise<void>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

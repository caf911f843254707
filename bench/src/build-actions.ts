import { availableParallelism, cpus, loadavg } from 'node:os';
import type { SdkAction } from '@lending/conformance/sdk/sdk-client.ts';
import { ACTIONS, openBorrower } from './builds/borrower.ts';
import { namesOf, type Shape, usualShape, wavesByShape, wavesOf } from './builds/node-request.ts';
import { type CountingNode, openCountingNode } from './builds/open-counting-node.ts';
import { openWorld, untilKnown } from './builds/open-world.ts';
import { listP0Banks } from './builds/p0-banks.ts';
import { postBuild } from './builds/post-build.ts';
import { argumentOf } from './measure/argument.ts';
import { percentilesOf } from './measure/percentiles.ts';
import { processorMs } from './measure/processor-time.ts';
import { rounded, type Spread, spreadOf } from './measure/spread.ts';

/**
 * Deposit, withdraw, borrow and repay, built by the service over REST and by the official SDK, in turns, against one node: the local chain
 * behind a node that counts requests and adds network. Round trips are counted there, where the network takes long enough to tell them
 * apart. Our own time is what a build took less what the very same requests took when they were sent again in the same waves. Prints a
 * JSON line per latency. `--rounds 30` for a quick look.
 */
const GOAL = { roundTrips: 2, ownMs: 10 };
const ROUNDS = argumentOf('--rounds', 150);
const LATENCIES_MS = [0, 20];
/** A network that takes so long tells for certain which requests wait for which. */
const TELLING_MS = 60;
const TELLING_ROUNDS = 9;
const WARM_UP_ROUNDS = 10;

const nodes: CountingNode[] = [];
// What the api asks the node is what builds ask: the indexing service asks the chain itself.
const world = await openWorld({ accounts: 0 }, async (rpcUrl) => {
  const opened = await openCountingNode(rpcUrl);
  nodes.push(opened);
  return opened.url;
});
const [node] = nodes;
if (node === undefined) throw new TypeError('The world asked for no node');
try {
  const { baseUrl } = world;
  await node.take();
  const banks = await listP0Banks(world.rpcUrl);
  const { sdk, account } = await openBorrower(node.url, banks);
  const opening = wavesOf(await node.take());
  const owner = { authority: sdk.wallet, account };
  await untilKnown(`${baseUrl}/v1/health/${account}`);

  const counted = async (build: () => Promise<void>): Promise<Counted> => {
    const from = performance.now();
    await build();
    const ms = performance.now() - from;
    return { ms, waves: wavesOf(await node.take()) };
  };
  const shapes = new Map<SdkAction, Shape>();
  const ours = async (action: SdkAction) => {
    const { ms, waves } = await counted(() => postBuild(baseUrl, owner, action));
    const shape = shapes.get(action);
    const asSeen = shape === undefined ? waves : wavesByShape(waves.flat(), shape);
    const rpcMs = await node.replay(asSeen);
    return { ms, waves: asSeen, ownMs: ms - rpcMs };
  };
  // Back to back, so that what the api does besides counts little.
  const processorOf = async (action: SdkAction) => {
    const before = processorMs(world.api.pid);
    for (let round = 0; round < ROUNDS; round += 1) await postBuild(baseUrl, owner, action);
    return (processorMs(world.api.pid) - before) / ROUNDS;
  };
  const barely = (action: SdkAction) => counted(() => sdk.buildBarely(account, action));
  const asWeDo = (action: SdkAction) => counted(() => sdk.buildAsWeDo(account, action));

  const cold: Record<string, number> = {};
  await node.take();
  await node.setLatency(TELLING_MS);
  for (const action of ACTIONS) {
    cold[action.kind] = (await ours(action)).waves.length;
    const builds: Counted[] = [];
    for (let round = 0; round < TELLING_ROUNDS; round += 1) builds.push(await ours(action));
    shapes.set(action, usualShape(builds.map(({ waves }) => waves)));
  }
  for (const latencyMs of LATENCIES_MS) {
    await node.setLatency(latencyMs);
    const actions: Record<string, ReturnType<typeof summaryOf>> = {};
    for (const action of ACTIONS) {
      for (let round = 0; round < WARM_UP_ROUNDS; round += 1) {
        for (const build of [ours, barely, asWeDo]) await build(action);
      }
      const rounds: Round[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        rounds.push({ ours: await ours(action), barely: await barely(action), asWeDo: await asWeDo(action) });
      }
      actions[action.kind] = summaryOf(rounds, await processorOf(action));
    }
    console.log(
      JSON.stringify({
        bench: 'building an action',
        latencyMs,
        rounds: ROUNDS,
        actions,
        coldRoundTrips: cold,
        sdkOpening: { waves: opening.length, note: 'its client, and the market it is measured in' },
        goal: GOAL,
        isReached: Object.values(actions).every(({ isReached }) => isReached),
        load: loadavg().map((load) => Number(load.toFixed(2))),
        machine: { cpu: cpus()[0]?.model, cores: availableParallelism(), node: process.version },
      }),
    );
  }
} finally {
  await world.stop();
  await node.stop();
}

interface Counted {
  readonly ms: number;
  readonly waves: ReturnType<typeof wavesOf>;
}

interface Round {
  readonly ours: Counted & { readonly ownMs: number };
  readonly barely: Counted;
  readonly asWeDo: Counted;
}

/** @param processor milliseconds a build took of the api's process, all threads. */
function summaryOf(rounds: readonly Round[], processor: number) {
  const own = percentilesOf(
    rounds.map(({ ours }) => ours.ownMs),
    0,
  );
  const [ours, barely, asWeDo] = (['ours', 'barely', 'asWeDo'] as const).map((who) => ({
    ms: percentilesOf(
      rounds.map((round) => round[who].ms),
      0,
    ),
    roundTrips: spreadOf(rounds.map((round) => round[who].waves.length)),
    requests: spreadOf(rounds.map((round) => round[who].waves.flat().length)),
    asked: rounds[0]?.[who].waves.map(namesOf),
  })) as [Side, Side, Side];
  const timesFaster = (than: 'barely' | 'asWeDo') => spreadOf(rounds.map((round) => round[than].ms / round.ours.ms));
  const isBetterThan = (other: Side) => ours.roundTrips.high < other.roundTrips.low && ours.ms.p50Ms < other.ms.p50Ms;
  return {
    ours: { ...ours, ownMs: own, processorMs: rounded(processor) },
    sdk: { barely, asWeDo },
    timesFasterThanSdk: { barely: timesFaster('barely'), asWeDo: timesFaster('asWeDo') },
    isReached:
      ours.roundTrips.high <= GOAL.roundTrips &&
      own.p50Ms <= GOAL.ownMs &&
      isBetterThan(barely) &&
      isBetterThan(asWeDo),
  };
}

interface Side {
  readonly ms: ReturnType<typeof percentilesOf>;
  readonly roundTrips: Spread;
  readonly requests: Spread;
  readonly asked: readonly string[] | undefined;
}

import { processorMs } from '../measure/process.ts';
import { percentilesOf, rounded, type Spread, spreadOf } from '../measure/statistics.ts';
import type { GoalName } from '../report/judge.ts';
import { type Figure, figure, markMeasuring, printResult } from '../report/result.ts';
import { describeLoad } from '../report/surroundings.ts';
import {
  type CountingNode,
  type HostRequest,
  namesOf,
  type Shape,
  usualShape,
  wavesByShape,
  wavesOf,
} from './open-world.ts';

/** One thing to build: by the service, and by the official SDK, where that still builds what the program takes. @see SdkWorker */
export interface BuildTask {
  readonly name: string;
  ours(): Promise<void>;
  bySdk?(): Promise<void>;
}

export interface BuildGoal {
  readonly name: GoalName;
  /** Waves of requests to the node, one after the other. */
  readonly roundTrips: number;
  readonly ownMs: number;
}

export interface MeasureOptions {
  readonly bench: string;
  readonly node: CountingNode;
  /** Process of the api. */
  readonly apiPid: number | undefined;
  readonly rounds: number;
  readonly latenciesMs: readonly number[];
  readonly goal: BuildGoal;
  /** Goes into the result as it is. */
  readonly notes: Readonly<Record<string, unknown>>;
}

/** A network that takes so long tells for certain which requests wait for which. */
const TELLING_MS = 60;
const TELLING_ROUNDS = 9;
const WARM_UP_ROUNDS = 10;
/** The node among the hosts. */
const NODE = 0;

/**
 * Builds each task by the service, and by the SDK where it can, in turns, against hosts that count requests and add network, and prints a JSON line. Round
 * trips are counted where the network takes long enough to tell them apart; a wave in which only aggregators are asked is counted beside
 * them. Our own time is what a build took less what the very same requests took when they were sent again in the same waves.
 */
export async function measureBuilds(tasks: readonly BuildTask[], options: MeasureOptions): Promise<void> {
  const { bench, node, goal, notes, rounds: count } = options;
  const counted = async (build: () => Promise<void>): Promise<Counted> => {
    const from = performance.now();
    await build();
    const ms = performance.now() - from;
    return { ms, waves: wavesOf(await node.take()) };
  };
  const shapes = new Map<BuildTask, Shape>();
  const ours = async (task: BuildTask): Promise<OwnCounted> => {
    const { ms, waves } = await counted(() => task.ours());
    const shape = shapes.get(task);
    const asSeen = shape === undefined ? waves : wavesByShape(waves.flat(), shape);
    const hostsMs = await node.replay(asSeen);
    return { ms, waves: asSeen, ownMs: ms - hostsMs };
  };
  // Back to back, so that what the api does besides counts little.
  const processorOf = async (task: BuildTask) => {
    const before = processorMs(options.apiPid);
    for (let round = 0; round < count; round += 1) await task.ours();
    return (processorMs(options.apiPid) - before) / count;
  };

  const cold: Record<string, number> = {};
  await node.take();
  await node.setLatency(TELLING_MS);
  for (const task of tasks) {
    cold[task.name] = nodeWaves((await ours(task)).waves).length;
    const builds: Counted[] = [];
    for (let round = 0; round < TELLING_ROUNDS; round += 1) builds.push(await ours(task));
    shapes.set(task, usualShape(builds.map(({ waves }) => waves)));
  }
  const figures: Figure[] = [];
  const byLatency: Record<string, unknown> = {};
  markMeasuring();
  for (const latencyMs of options.latenciesMs) {
    await node.setLatency(latencyMs);
    const actions: Record<string, Summary> = {};
    for (const task of tasks) {
      const { bySdk } = task;
      const round = async (): Promise<Round> => ({
        ours: await ours(task),
        sdk: bySdk === undefined ? null : await counted(bySdk),
      });
      for (let turn = 0; turn < WARM_UP_ROUNDS; turn += 1) await round();
      const rounds: Round[] = [];
      for (let turn = 0; turn < count; turn += 1) rounds.push(await round());
      actions[task.name] = summaryOf(rounds, await processorOf(task));
      figures.push(...figuresOf(task.name, actions[task.name] as Summary, latencyMs, goal));
      await node.take();
    }
    byLatency[`${latencyMs} ms`] = { actions, load: describeLoad() };
  }
  printResult(bench, figures, { rounds: count, byLatency, coldRoundTrips: cold, ...notes });
}

/** Round trips are told once for each latency: where they differ, something waited for what it need not. */
function figuresOf(name: string, summary: Summary, latencyMs: number, goal: BuildGoal): readonly Figure[] {
  const { ours, sdk } = summary;
  const over = `${name.replace('_', ' ')}, network of ${latencyMs} ms`;
  const besideSdk =
    sdk === null
      ? []
      : [
          figure({
            goal: 'sdk',
            what: `${over}: time beside the SDK's`,
            unit: 'ms at p50',
            ours: spreadAt(ours.ms.p50Ms),
            yardstick: spreadAt(sdk.ms.p50Ms),
            ratio: sdk.timesSlower,
            bound: { of: 'ratio', is: 'moreThan', value: 1 },
          }),
          figure({
            goal: 'sdk',
            what: `${over}: round trips beside the SDK's`,
            unit: 'round trips',
            ours: { ...ours.roundTrips, median: ours.usualRoundTrips },
            yardstick: sdk.roundTrips,
            ratio: spreadAt(sdk.roundTrips.low / ours.usualRoundTrips),
            bound: { of: 'ratio', is: 'moreThan', value: 1 },
          }),
        ];
  return [
    figure({
      goal: goal.name,
      what: `${over}: round trips`,
      unit: 'round trips',
      ours: { ...ours.roundTrips, median: ours.usualRoundTrips },
      bound: { of: 'ours', is: 'atMost', value: goal.roundTrips },
    }),
    figure({
      goal: goal.name,
      what: `${over}: our own time`,
      unit: 'ms at p50',
      ours: spreadAt(ours.ownMs.p50Ms),
      yardstick: spreadAt(ours.hostsMs.p50Ms),
      bound: { of: 'ours', is: 'atMost', value: goal.ownMs },
    }),
    ...besideSdk,
  ];
}

function spreadAt(value: number): Spread {
  return spreadOf([value]);
}

type Waves = readonly (readonly HostRequest[])[];

interface Counted {
  readonly ms: number;
  readonly waves: Waves;
}

interface OwnCounted extends Counted {
  readonly ownMs: number;
}

interface Round {
  readonly ours: OwnCounted;
  readonly sdk: Counted | null;
}

function nodeWaves(waves: Waves): Waves {
  return waves.filter((wave) => wave.some(({ host }) => host === NODE));
}

/** @param processor milliseconds a build took of the api's process, all threads. */
function summaryOf(rounds: readonly Round[], processor: number) {
  const own = percentilesOf(
    rounds.map(({ ours }) => ours.ownMs),
    0,
  );
  const hosts = percentilesOf(
    rounds.map(({ ours }) => ours.ms - ours.ownMs),
    0,
  );
  const bySdk = rounds.flatMap(({ sdk }) => (sdk === null ? [] : [sdk]));
  return {
    ours: { ...sideOf(rounds.map(({ ours }) => ours)), ownMs: own, hostsMs: hosts, processorMs: rounded(processor) },
    sdk:
      bySdk.length === 0
        ? null
        : { ...sideOf(bySdk), timesSlower: spreadOf(rounds.map(({ ours, sdk }) => (sdk as Counted).ms / ours.ms)) },
  };
}

type Summary = ReturnType<typeof summaryOf>;

interface Side {
  readonly ms: ReturnType<typeof percentilesOf>;
  readonly roundTrips: Spread;
  /** Of nineteen builds in twenty: what is read once a minute at most, and what the tables lacked, costs one more. */
  readonly usualRoundTrips: number;
  /** Waves that only aggregators are asked in, and all that they are asked. */
  readonly aggregatorWaves: Spread;
  readonly aggregatorRequests: Spread;
  readonly requests: Spread;
  readonly asked: readonly string[] | undefined;
}

function sideOf(builds: readonly Counted[]): Side {
  const roundTrips = builds.map(({ waves }) => nodeWaves(waves).length).toSorted((one, other) => one - other);
  return {
    ms: percentilesOf(
      builds.map(({ ms }) => ms),
      0,
    ),
    roundTrips: spreadOf(roundTrips),
    usualRoundTrips: roundTrips[Math.ceil(roundTrips.length * 0.95) - 1] ?? Number.NaN,
    aggregatorWaves: spreadOf(builds.map(({ waves }) => waves.length - nodeWaves(waves).length)),
    aggregatorRequests: spreadOf(builds.map(({ waves }) => waves.flat().filter(({ host }) => host !== NODE).length)),
    requests: spreadOf(builds.map(({ waves }) => waves.flat().filter(({ host }) => host === NODE).length)),
    asked: builds[0]?.waves.map(namesOf),
  };
}

import { rounded, type Spread } from '../measure/statistics.ts';
import type { Bound, Figure } from './result.ts';

/** What was set out to be reached, in the words it was set in; figures name the goal they belong to. */
export const GOALS = {
  projecting: {
    what: 'projecting rate samples, Kafka or log → rows',
    yardstick: '`COPY` of the same rows into the same table',
    goal: '≥ 0.6 of its rows/s, flat from 1 to 100 million rows',
  },
  banks: {
    what: '`GET /v1/banks`, 120 banks, keep-alive',
    yardstick: 'Fastify sending the same bytes from memory',
    goal: '≥ 0.8 of its requests/s',
  },
  mcp: {
    what: '`svc_get_banks` over MCP',
    yardstick: "the SDK's own echo tool with the same bytes",
    goal: '≥ 0.8',
  },
  actions: {
    what: 'building a deposit, borrow, withdraw, repay',
    yardstick: 'sum of its RPC calls alone',
    goal: '≤ 2 sequential round trips, ≤ 10 ms of our own time at p50',
  },
  leverage: {
    what: 'building a loop or close, quotes included',
    yardstick: 'the same',
    goal: '≤ 3 sequential round trips besides the aggregator, ≤ 30 ms of our own time',
  },
  sdk: {
    what: 'the same build of an action with the official TypeScript SDK against the same node',
    yardstick: 'the SDK',
    goal: 'fewer round trips and less time than it, side by side',
  },
  chain: {
    what: 'chain to answer, 100 transactions a second on the local chain',
    yardstick: '–',
    goal: 'p50 ≤ 500 ms, p99 ≤ 2 s',
  },
  decoding: {
    what: 'decoding accounts',
    yardstick: "Anchor's `BorshAccountsCoder` on the same bytes",
    goal: '≥ 20 ×',
  },
  history: {
    what: 'history query, one year of hours, one bank',
    yardstick: 'the same query and output against a store of 1/100 the rows',
    goal: '≤ 1.5 ×',
  },
  memory: {
    what: 'memory',
    yardstick: '–',
    goal: 'embedded process ≤ 450 MB; one api ≤ 200 MB with 100,000 accounts indexed, ≤ 320 MB with two simulation workers',
  },
  start: {
    what: '`npm start` on an installed clone to first served bank',
    yardstick: '–',
    goal: '≤ 8 s',
  },
} as const;

export type GoalName = keyof typeof GOALS;

export interface Verdict {
  readonly isReached: boolean;
  /** Share of the goal by which it is missed, or, below zero, surpassed. NaN where there is nothing to judge. */
  readonly missedBy: number;
}

/** Holds the median of a figure against its bound. Null: it has none. What could not be measured is missed. */
export function judge({ ours, ratio, bound }: Figure): Verdict | null {
  if (bound === null) return null;
  const measured = bound.of === 'ours' ? ours : ratio;
  // A file has null where a number was none.
  const value = (measured?.median as number | null | undefined) ?? Number.NaN;
  const gap = bound.is === 'atMost' ? value - bound.value : bound.value - value;
  return { isReached: isWithin(value, bound), missedBy: rounded(gap / bound.value) };
}

function isWithin(value: number, { is, value: limit }: Bound): boolean {
  switch (is) {
    case 'atLeast':
      return value >= limit;
    case 'atMost':
      return value <= limit;
    case 'moreThan':
      return value > limit;
    default:
      return is satisfies never;
  }
}

/**
 * What several runs of a benchmark found of the same things: the median of their medians, of an even number the worse one, and the extremes of
 * all they saw. What one run could not measure was not measured.
 */
export function mergeFigures(runs: readonly (readonly Figure[])[]): readonly Figure[] {
  const byName = Map.groupBy(runs.flat(), ({ goal, what }) => `${goal} ${what}`);
  return [...byName.values()].map((same) => {
    const [first] = same as [Figure];
    const isLowBad = first.bound !== null && first.bound.is !== 'atMost';
    const merge = (spreads: readonly (Spread | null)[]) => mergeSpreads(spreads.filter(isKnown), isLowBad);
    return {
      ...first,
      ours: merge(same.map(({ ours }) => ours)) ?? first.ours,
      yardstick: merge(same.map(({ yardstick }) => yardstick)),
      ratio: merge(same.map(({ ratio }) => ratio)),
    };
  });
}

function isKnown(spread: Spread | null): spread is Spread {
  return spread !== null;
}

function mergeSpreads(spreads: readonly Spread[], isLowBad: boolean): Spread | null {
  if (spreads.length === 0) return null;
  // What a run printed has null where a number was none.
  if (spreads.some(({ median }) => !Number.isFinite(median))) return NOT_MEASURED;
  const medians = spreads.map(({ median }) => median).toSorted((a, b) => a - b);
  const middle = isLowBad ? Math.floor((medians.length - 1) / 2) : Math.floor(medians.length / 2);
  return {
    median: medians[middle] ?? Number.NaN,
    low: Math.min(...spreads.map(({ low }) => low)),
    high: Math.max(...spreads.map(({ high }) => high)),
  };
}

const NOT_MEASURED: Spread = { median: Number.NaN, low: Number.NaN, high: Number.NaN };

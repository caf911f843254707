import { rounded, type Spread } from '../measure/spread.ts';
import type { Bound, Figure } from './figure.ts';

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

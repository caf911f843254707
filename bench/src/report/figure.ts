import { rounded, type Spread } from '../measure/spread.ts';
import type { GoalName } from './goals.ts';

/** What a figure is held against. */
export interface Bound {
  readonly of: 'ours' | 'ratio';
  readonly is: 'atLeast' | 'atMost' | 'moreThan';
  readonly value: number;
}

/** One number of a benchmark, with its yardstick where it has one. */
export interface Figure {
  /** Which goal it belongs to; null: none was set, it is told because somebody will ask. */
  readonly goal: GoalName | null;
  readonly what: string;
  /** Of `ours` and `yardstick`. */
  readonly unit: string;
  readonly ours: Spread;
  readonly yardstick: Spread | null;
  /** As the goal words it, taken within each round; null without a yardstick. */
  readonly ratio: Spread | null;
  /** Null: told beside others that are judged. */
  readonly bound: Bound | null;
}

/** Spread of what was measured once. */
export function once(value: number): Spread {
  return { median: rounded(value), low: rounded(value), high: rounded(value) };
}

export function figure(given: Pick<Figure, 'goal' | 'what' | 'unit' | 'ours'> & Partial<Figure>): Figure {
  return { yardstick: null, ratio: null, bound: null, ...given };
}

let measuringSinceUs: number | null = null;

/** Says that what comes from here on is measured, if nobody said so before: whoever looks at a profile leaves out what was before. */
export function markMeasuring(): void {
  // The clock of profiles, whichever process they are of.
  measuringSinceUs ??= Number(process.hrtime.bigint() / 1_000n);
}

/** Prints what a benchmark found as its JSON line; the runner reads the figures, people the rest. */
export function printResult(
  bench: string,
  figures: readonly Figure[],
  details: Readonly<Record<string, unknown>> = {},
): void {
  console.log(JSON.stringify({ bench, figures, measuringSinceUs, ...details }));
}

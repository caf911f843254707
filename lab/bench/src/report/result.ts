import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@lending/testing';
import { rounded, type Spread } from '../measure/statistics.ts';
import type { GoalName } from './judge.ts';
import type { Machine, Versions } from './surroundings.ts';

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

/** What one benchmark came to, all its runs. */
export interface BenchResult {
  readonly name: string;
  readonly startedAt: string;
  readonly seconds: number;
  readonly arguments: readonly string[];
  readonly repeats: number;
  /** Why there are no figures, or not all; null when every run ended well. */
  readonly failure: string | null;
  readonly machine: Machine;
  readonly versions: Versions;
  /** Processes that wanted to run, of the last minute, five and fifteen. */
  readonly load: { readonly before: readonly number[]; readonly after: readonly number[] };
  readonly figures: readonly Figure[];
  /** The JSON lines of each run as they were printed. */
  readonly runs: readonly (readonly unknown[])[];
}

/** Kept with the code. */
export const RESULTS = join(ROOT, 'lab', 'bench', 'results');
/** Of quick looks, which are worth nothing later. */
export const QUICK_RESULTS = join(ROOT, '.cache', 'bench');

/** Writes `<date>-<name>.json`, a line for each run: of one day the last. Answers the path. */
export function writeResult(folder: string, result: BenchResult): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${result.startedAt.slice(0, 10)}-${result.name}.json`);
  const { runs, ...summary } = result;
  const lines = runs.map((run) => JSON.stringify(run)).join(',\n');
  writeFileSync(path, `${JSON.stringify(summary, null, 1).slice(0, -2)},\n "runs": [\n${lines}\n ]\n}\n`);
  return path;
}

/** The newest result of each benchmark, by its name. A file that is none is told and left out: it costs nobody the minutes just measured. */
export function readNewestResults(folder: string): ReadonlyMap<string, BenchResult> {
  const results = new Map<string, BenchResult>();
  for (const file of listFiles(folder)) {
    const result = readResult(join(folder, file));
    if (result === null) {
      process.stderr.write(`${join(folder, file)} is no result, and left out\n`);
      continue;
    }
    const known = results.get(result.name);
    if (known === undefined || known.startedAt < result.startedAt) results.set(result.name, result);
  }
  return results;
}

function readResult(path: string): BenchResult | null {
  try {
    const result = JSON.parse(readFileSync(path, 'utf8')) as Partial<BenchResult> | null;
    return typeof result?.name === 'string' && Array.isArray(result.figures) ? (result as BenchResult) : null;
  } catch {
    return null;
  }
}

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((file) => file.endsWith('.json'));
  } catch {
    return [];
  }
}

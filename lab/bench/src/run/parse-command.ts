import { parseArgs } from 'node:util';
import { BENCHMARKS, type Benchmark, benchmarkOf } from './benchmarks.ts';

/** What `npm run bench` was told. */
export interface BenchCommand {
  readonly benchmarks: readonly Benchmark[];
  readonly isList: boolean;
  readonly isQuick: boolean;
  /** Leaves out what was measured well at this commit. */
  readonly isOnlyMissing: boolean;
  /** Looks where the processor's time goes instead of measuring. */
  readonly isProfile: boolean;
  /** Undefined: as often as each benchmark says. */
  readonly repeats: number | undefined;
  /** Instead of a benchmark's own; undefined: those. */
  readonly arguments: readonly string[] | undefined;
}

export const USAGE = `npm run bench [-- NAME … [--quick] [--repeats N] [--only-missing] [--profile] [--list] [-- arguments of the benchmark]]`;

/** @throws Error in one line that says what is allowed. */
export function parseCommand(given: readonly string[]): BenchCommand {
  const cut = given.indexOf('--');
  const own = cut < 0 ? given : given.slice(0, cut);
  const { values, positionals } = parseArgs({
    args: [...own],
    allowPositionals: true,
    options: {
      list: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      'only-missing': { type: 'boolean', default: false },
      repeats: { type: 'string' },
    },
  });
  const repeats = values.repeats === undefined ? undefined : Number(values.repeats);
  if (repeats !== undefined && !(Number.isInteger(repeats) && repeats > 0 && repeats <= 100)) {
    throw new Error(`--repeats is ${values.repeats}; allowed: a whole number from 1 to 100`);
  }
  if (cut >= 0 && positionals.length !== 1) {
    throw new Error('Arguments after -- are for one benchmark, which has to be named');
  }
  const all = BENCHMARKS.filter(({ isInAll, profiled }) => (values.profile ? profiled !== undefined : isInAll));
  const named = positionals.map(benchmarkOf);
  const unprofiled = named.find(({ profiled }) => profiled === undefined);
  if (values.profile && unprofiled !== undefined) throw new Error(`${unprofiled.name} has nobody to profile`);
  return {
    benchmarks: named.length === 0 ? all : named,
    isList: values.list,
    isQuick: values.quick,
    isProfile: values.profile,
    isOnlyMissing: values['only-missing'],
    repeats,
    arguments: cut < 0 ? undefined : given.slice(cut + 1),
  };
}

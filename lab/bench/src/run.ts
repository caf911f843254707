import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from '@lending/testing';
import { judge } from './report/judge.ts';
import { renderTable } from './report/render-table.ts';
import { type BenchResult, QUICK_RESULTS, RESULTS, readNewestResults, writeResult } from './report/result.ts';
import { describeVersions } from './report/surroundings.ts';
import { BENCHMARKS } from './run/benchmarks.ts';
import { type BenchCommand, parseCommand, USAGE } from './run/parse-command.ts';
import { profileBenchmark } from './run/profile-benchmark.ts';
import { runBenchmark } from './run/run-benchmark.ts';

/**
 * Runs all benchmarks that belong together, or those that are named, one after the other, each as a process of its own, keeps what they
 * found and writes the table anew. Ends with 1 where one failed to run; a goal that is missed is a result like any other.
 */
const MINUTE_MS = 60_000;
/** A loaded machine may take several times as long. */
const LEAST_TIMEOUT_MS = 15 * MINUTE_MS;

const stopping = new AbortController();
// A Ctrl-C comes more than once: from the terminal, and from npm.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
const command = readCommand();
if (command === null) process.exitCode = 2;
else if (command.isList) list();
else process.exitCode = await (command.isProfile ? profileAll(command) : runAll(command));

function readCommand(): BenchCommand | null {
  try {
    return parseCommand(process.argv.slice(2));
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    say(USAGE);
    return null;
  }
}

function list(): void {
  for (const { name, about, minutes, repeats, isInAll } of BENCHMARKS) {
    const when = isInAll ? `${minutes} min, ${repeats} ${repeats === 1 ? 'run' : 'runs'}` : 'only by its name';
    process.stdout.write(`${name.padEnd(20)} ${about} (${when})\n`);
  }
}

async function runAll(command: BenchCommand): Promise<number> {
  const folder = command.isQuick ? QUICK_RESULTS : RESULTS;
  const chosen = command.isOnlyMissing ? lacking(command, folder) : command.benchmarks;
  const minutes = chosen.reduce((sum, each) => sum + each.minutes, 0);
  if (!command.isQuick) say(`${chosen.length} benchmarks, about ${Math.ceil(minutes)} minutes on four quiet cores`);
  let failed = 0;
  for (const benchmark of chosen) {
    if (stopping.signal.aborted) break;
    say(`${benchmark.name}: ${benchmark.about} …`);
    const result = await runBenchmark(benchmark, {
      arguments: command.arguments ?? (command.isQuick ? benchmark.quickArguments : benchmark.arguments),
      repeats: command.repeats ?? (command.isQuick ? 1 : benchmark.repeats),
      timeoutMs: Math.max(LEAST_TIMEOUT_MS, 10 * benchmark.minutes * MINUTE_MS),
      signal: stopping.signal,
    });
    if (stopping.signal.aborted) break;
    const path = writeResult(folder, result);
    if (result.failure !== null) failed += 1;
    tell(result, relative(ROOT, path));
    // Each time: who stops in the middle keeps what there is.
    writeFileSync(join(folder, 'README.md'), renderTable(BENCHMARKS, readNewestResults(folder)));
  }
  if (chosen.length > 0) say(`The table: ${relative(ROOT, join(folder, 'README.md'))}`);
  return failed > 0 || stopping.signal.aborted ? 1 : 0;
}

async function profileAll({ benchmarks, isQuick, arguments: given }: BenchCommand): Promise<number> {
  let failed = 0;
  for (const benchmark of benchmarks) {
    if (stopping.signal.aborted) break;
    say(`${benchmark.name}: where the time goes …`);
    const own = isQuick ? benchmark.quickArguments : benchmark.arguments;
    try {
      say(`  → ${relative(ROOT, await profileBenchmark(benchmark, given ?? own, stopping.signal))}`);
    } catch (error) {
      failed += 1;
      say(`  FAILED   ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return failed > 0 || stopping.signal.aborted ? 1 : 0;
}

/** Those that were not measured well with this code. */
function lacking({ benchmarks }: BenchCommand, folder: string): BenchCommand['benchmarks'] {
  const { commit } = describeVersions();
  const results = readNewestResults(folder);
  return benchmarks.filter(({ name }) => {
    const result = results.get(name);
    return result === undefined || result.failure !== null || result.versions.commit !== commit;
  });
}

function tell({ failure, figures, seconds }: BenchResult, path: string): void {
  for (const figure of figures) {
    const verdict = judge(figure);
    const word = verdict === null ? '' : verdict.isReached ? 'reached' : 'MISSED';
    const against = figure.ratio === null ? '' : `, ratio ${figure.ratio.median}`;
    say(`  ${word.padEnd(8)} ${figure.what}: ${figure.ours.median} ${figure.unit}${against}`);
  }
  if (failure !== null) say(`  FAILED   ${failure}`);
  say(`  ${seconds} s → ${path}`);
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@lending/testing';
import { type CpuProfile, renderProfile, summarizeProfile } from '../report/profile.ts';
import { QUICK_RESULTS, RESULTS } from '../report/result.ts';
import { describeVersions } from '../report/surroundings.ts';
import type { Benchmark } from './benchmarks.ts';
import { runBenchmark } from './run-benchmark.ts';

/** A profile is named `CPU.<day>.<time>.<process>.<thread>.<number>.cpuprofile`; the main thread is 0. */
const OF_MAIN_THREAD = /^CPU\.\d+\.\d+\.\d+\.0\.\d+\.cpuprofile$/;

/**
 * Runs a benchmark once with a profiler in the process that does the work, and writes the page of where its time went. Figures of such a run
 * are worth nothing: looking takes time. Answers the path of the page.
 * @throws Error where the run failed, or left no profile.
 */
export async function profileBenchmark(
  benchmark: Benchmark,
  given: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const folder = join(QUICK_RESULTS, 'profiles', benchmark.name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { failure, runs } = await runBenchmark(benchmark, {
    arguments: given,
    repeats: 1,
    timeoutMs: 30 * 60_000,
    signal,
    ...(benchmark.profiled === 'itself'
      ? { nodeFlags: ['--cpu-prof', `--cpu-prof-dir=${folder}`] }
      : { env: { BENCH_PROFILE: folder } }),
  });
  if (failure !== null) throw new Error(failure);
  const files = readdirSync(folder).filter((file) => OF_MAIN_THREAD.test(file));
  const profiles = files.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile);
  const [longest] = profiles.toSorted((one, other) => other.samples.length - one.samples.length);
  if (longest === undefined) throw new Error(`${benchmark.name} left no profile in ${folder}`);
  const [[line] = []] = runs as readonly (readonly { readonly measuringSinceUs?: number | null }[])[];
  const summary = summarizeProfile(longest, ROOT, line?.measuringSinceUs ?? 0);
  const page = join(RESULTS, `profile-${benchmark.name}.md`);
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(page, renderProfile(benchmark.name, given, summary, describeVersions()));
  return page;
}

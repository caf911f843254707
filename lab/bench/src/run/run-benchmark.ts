import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { NODE_FLAGS, ROOT } from '@lending/testing';
import { withEnvironment } from '../measure/config.ts';
import { mergeFigures } from '../report/judge.ts';
import type { BenchResult, Figure } from '../report/result.ts';
import { describeLoad, describeMachine, describeVersions } from '../report/surroundings.ts';
import type { Benchmark } from './benchmarks.ts';

export interface RunOptions {
  readonly arguments: readonly string[];
  readonly repeats: number;
  /** A run that takes longer is stopped and has failed. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Besides those that the services run with. */
  readonly nodeFlags?: readonly string[];
  /** Over this process's own. */
  readonly env?: Readonly<Record<string, string>>;
}

interface Run {
  readonly lines: readonly ResultLine[];
  readonly failure: string | null;
}

interface ResultLine {
  readonly bench: string;
  readonly measuringSinceUs: number | null;
  readonly figures: readonly Figure[];
}

/** What is shown of a run that failed. */
const LAST_WORDS = 1_500;
const STOP_MS = 30_000;

/**
 * Runs a benchmark as a process of its own, with the flags that the services run with, as often as asked. A run that fails leaves its
 * reason, and the figures of the others.
 */
export async function runBenchmark(benchmark: Benchmark, options: RunOptions): Promise<BenchResult> {
  const startedAt = new Date();
  const before = describeLoad();
  const versions = describeVersions();
  const runs: Run[] = [];
  for (let nth = 0; nth < options.repeats && !options.signal.aborted; nth += 1) {
    runs.push(await runOnce(benchmark, options));
  }
  const failures = runs.flatMap(({ failure }, nth) => (failure === null ? [] : [`run ${nth + 1}: ${failure}`]));
  return {
    name: benchmark.name,
    startedAt: startedAt.toISOString(),
    seconds: Math.round((Date.now() - startedAt.getTime()) / 1_000),
    arguments: options.arguments,
    repeats: runs.length,
    failure: failures.length === 0 ? null : failures.join('\n'),
    machine: describeMachine(),
    versions,
    load: { before, after: describeLoad() },
    figures: mergeFigures(runs.map(({ lines }) => lines.flatMap(({ figures }) => figures))),
    runs: runs.map(({ lines }) => lines),
  };
}

async function runOnce(benchmark: Benchmark, options: RunOptions): Promise<Run> {
  const { arguments: given, timeoutMs, signal, nodeFlags = [] } = options;
  const entry = join('lab', 'bench', 'src', benchmark.file);
  // A group of its own: what it started is stopped with it, whatever becomes of it.
  const child = spawn(process.execPath, [...NODE_FLAGS, ...nodeFlags, entry, ...given], {
    cwd: ROOT,
    detached: true,
    env: withEnvironment(options.env ?? {}),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const lines: ResultLine[] = [];
  let said = '';
  createInterface({ input: child.stdout }).on('line', (line) => {
    const result = parseResult(line);
    if (result !== null) lines.push(result);
    else said = `${said}${line}\n`.slice(-LAST_WORDS);
  });
  child.stderr.on('data', (text: Buffer) => {
    said = `${said}${text}`.slice(-LAST_WORDS);
    if (benchmark.showsProgress === true) process.stderr.write(text);
  });
  const stopping = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const onStop = () => void stopGroup(child, exited);
  stopping.addEventListener('abort', onStop, { once: true });
  const [code, killedBy] = await exited;
  stopping.removeEventListener('abort', onStop);
  // What it started and left.
  signalGroup(child, 'SIGTERM');
  if (stopping.aborted)
    return { lines, failure: signal.aborted ? 'stopped' : `took longer than ${timeoutMs / 60_000} min` };
  if (code !== 0) return { lines, failure: `ended with ${code ?? killedBy}: ${said.trim()}` };
  if (lines.length === 0) return { lines, failure: `printed no result: ${said.trim()}` };
  return { lines, failure: null };
}

function parseResult(line: string): ResultLine | null {
  if (!line.startsWith('{')) return null;
  try {
    const parsed = JSON.parse(line) as Partial<ResultLine>;
    return typeof parsed.bench === 'string' && Array.isArray(parsed.figures) ? (parsed as ResultLine) : null;
  } catch {
    return null;
  }
}

async function stopGroup(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  signalGroup(child, 'SIGTERM');
  await Promise.race([exited, sleep(STOP_MS, undefined, { ref: false })]);
  signalGroup(child, 'SIGKILL');
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // Nobody of the group is left.
  }
}

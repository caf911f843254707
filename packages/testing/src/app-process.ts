import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { FEW_SWAP_QUOTES, RAISED_RATE_LIMITS } from './raised-rate-limits.ts';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const { config } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly config: { readonly node_flags: string; readonly api_env: string };
};

/** As `npm start` and the image run it. */
export const NODE_FLAGS: readonly string[] = config.node_flags.split(' ');
/**
 * What stands in the environment of an api, `NAME=value`: one heap for what Node keeps outside of V8. glibc gives each of its dozen threads
 * one of their own, and seldom gives anything of them back. An api takes 16 MB less so, with two simulation workers 34; whoever projects
 * would take a tenth longer.
 */
export const API_ENV = config.api_env;
const API = 'services/api/';
/** Variable that names the folder of bundled programs; without it they are run as they are written, as who runs the service has them. */
export const BUNDLE = 'BUNDLED_PROGRAMS';
/** What Node made of the sources in other processes, which takes it a quarter of the time until a service is up. */
const COMPILED = join(ROOT, '.cache', 'compiled');

export interface ProcessOptions {
  /** Source file to run with the pinned Node, from the repository root. */
  readonly entry: string;
  readonly arguments?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The checkout to run it from; default: this one. */
  readonly root?: string;
  /** The line that means it is up. Its first capture, if any, is the base URL. */
  readonly readyLine: RegExp;
  readonly timeoutMs?: number;
}

export interface RunningProcess {
  readonly child: ChildProcess;
  readonly baseUrl: string;
  /** Every line printed so far, both streams. */
  readonly lines: readonly string[];
  /** Resolves with the first line, past or future, that matches. */
  waitForLine(pattern: RegExp, timeoutMs?: number): Promise<RegExpExecArray>;
  /** SIGTERM, then the exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL: nothing gets to clean up. */
  kill(): Promise<void>;
}

/** Starts one of the project's processes and waits until it says that it is up. */
export async function startProcess(options: ProcessOptions): Promise<RunningProcess> {
  const running = spawnProcess(options);
  const match = await running
    .waitForLine(options.readyLine, options.timeoutMs ?? 150_000)
    .catch(async (error: unknown) => {
      await running.kill();
      throw error;
    });
  return { ...running, baseUrl: match[1] ?? '' };
}

/** The same without the wait, for a process that is expected to fail. */
export function spawnProcess(options: Omit<ProcessOptions, 'readyLine'>): Omit<RunningProcess, 'baseUrl'> {
  const program = options.root === undefined ? bundleOf(options.entry) : options.entry;
  const child = spawn(process.execPath, [...NODE_FLAGS, program, ...(options.arguments ?? [])], {
    cwd: options.root ?? ROOT,
    env: {
      ...(options.entry.startsWith(API) && Object.fromEntries([API_ENV.split('=')])),
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      ...(program === options.entry && { NODE_COMPILE_CACHE: COMPILED }),
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const listeners = new Set<(line: string) => void>();
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      for (const listener of listeners) listener(line);
    });
  }
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;

  return {
    child,
    lines,
    waitForLine: (pattern, timeoutMs = 150_000) => waitForLine(lines, listeners, exited, pattern, timeoutMs),
    async stop() {
      child.kill('SIGTERM');
      const [code] = await exited;
      return code;
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** @returns where a program is to be run from: its bundle where there is one, else its source. From the repository root. */
export function bundleOf(entry: string): string {
  const bundled = join(process.env[BUNDLE] ?? '', entry.replace(/\.ts$/, '.mjs'));
  return process.env[BUNDLE] && existsSync(bundled) ? bundled : entry;
}

function waitForLine(
  lines: readonly string[],
  listeners: Set<(line: string) => void>,
  exited: Promise<[number | null, NodeJS.Signals | null]>,
  pattern: RegExp,
  timeoutMs: number,
): Promise<RegExpExecArray> {
  const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>();
  const inspect = (line: string): void => {
    const match = pattern.exec(line);
    if (match !== null) resolve(match);
  };
  const failWith = (reason: string): void =>
    reject(new Error(`${reason} while waiting for ${pattern}; it printed:\n${lines.join('\n')}`));
  const timer = setTimeout(() => failWith(`${timeoutMs} ms passed`), timeoutMs);
  void exited.then(([code, signal]) => setTimeout(() => failWith(`the process ended with ${code ?? signal}`), 100));
  listeners.add(inspect);
  for (const line of lines) inspect(line);
  return promise.finally(() => {
    clearTimeout(timer);
    listeners.delete(inspect);
  });
}

/** A data folder of a scenario's own, which the server's user can enter when this runs as root. */
export async function createDataDir(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  await chmod(folder, 0o711);
  return folder;
}

/**
 * The one-process shape on a data folder of its own and free ports. By default no client reaches a rate limit, and few swaps
 * are quoted. It is up when its banner names the REST address.
 */
export function startEmbedded(options: {
  readonly dataDir: string;
  readonly env?: Readonly<Record<string, string>>;
}): Promise<RunningProcess> {
  return startProcess({
    entry: 'embedded/src/main.ts',
    env: {
      DATA_DIR: options.dataDir,
      API_PORT: '0',
      LOCALNET_PORT: '0',
      ...RAISED_RATE_LIMITS,
      ...FEW_SWAP_QUOTES,
      ...options.env,
    },
    readyLine: /REST\s+(https?:\/\/\S+?)\/v1\/banks/,
  });
}

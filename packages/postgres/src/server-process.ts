import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Binaries } from './binaries.ts';
import type { Home } from './home.ts';
import { toServerFailure } from './server-failure.ts';
import { asUser, type ServerUser } from './server-user.ts';

/** Recovery after a crash replays the log first; on a slow disk that takes a while. */
const READY_LIMIT_MS = 120_000;
const FAST_SHUTDOWN_MS = 30_000;
const KEPT_LINES = 50;

/** One running Postgres. */
export interface ServerProcess {
  readonly pid: number;
  /** Resolves when it is gone, for whatever reason, with its last lines. */
  readonly exited: Promise<string>;
  /** Fast shutdown: open transactions are rolled back, everything committed is on disk. */
  stop(): Promise<void>;
}

export interface ServerProcessOptions {
  readonly binaries: Binaries;
  readonly home: Home;
  readonly user: ServerUser | null;
  readonly port: number;
  readonly settings: Readonly<Record<string, string>>;
  readonly onLine: (line: string) => void;
}

/**
 * Starts the server and resolves once it accepts connections.
 *
 * It runs in a session of its own, because Ctrl-C in a terminal reaches the whole process group and would take the database away
 * while we still have rows to write. Beside it waits a shell that asks it to shut down when this process is gone, however
 * that happened.
 * @throws POSTGRES__UNAVAILABLE, RUNTIME__DISK_EXCEEDED or RUNTIME__PORT_UNAVAILABLE with the server's own reason.
 */
export async function startServerProcess(options: ServerProcessOptions): Promise<ServerProcess> {
  const child = spawn(options.binaries.postgres, serverArguments(options), {
    ...asUser(options.user),
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const lines: string[] = [];
  const ready = Promise.withResolvers<void>();
  const exited = Promise.withResolvers<string>();
  createInterface({ input: child.stderr }).on('line', (line) => {
    lines.push(line);
    if (lines.length > KEPT_LINES) lines.shift();
    options.onLine(line);
    if (line.includes('database system is ready to accept connections')) ready.resolve();
  });
  child.on('error', (cause) => ready.reject(toServerFailure('Postgres did not start', '', cause)));
  child.on('close', () => {
    exited.resolve(lines.join('\n'));
    ready.reject(toServerFailure('Postgres did not start', lines.join('\n')));
  });
  const timer = setTimeout(() => {
    ready.reject(toServerFailure('Postgres did not start', `no answer within ${READY_LIMIT_MS / 1000} s`));
    child.kill('SIGQUIT');
  }, READY_LIMIT_MS);
  const watchdog = child.pid === undefined ? null : startWatchdog(child.pid, options.user);
  void exited.promise.then(() => watchdog?.kill('SIGKILL'));
  try {
    await ready.promise;
  } finally {
    clearTimeout(timer);
  }
  return { pid: child.pid ?? 0, exited: exited.promise, stop: () => stopChild(child, exited.promise) };
}

function serverArguments(options: ServerProcessOptions): string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(options.port),
    // Socket paths are limited to about a hundred bytes, which a data folder can exceed.
    unix_socket_directories: '',
    ...options.settings,
  };
  return [
    '-D',
    options.home.cluster,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}

/** Reads from a pipe that only we hold open: it ends when we do, also by `kill -9`. */
function startWatchdog(pid: number, user: ServerUser | null): ChildProcess {
  const watchdog = spawn('/bin/sh', ['-c', 'read -r _; kill -INT "$1"', 'sh', String(pid)], {
    ...asUser(user),
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watchdog.on('error', () => undefined);
  watchdog.unref();
  return watchdog;
}

async function stopChild(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  child.kill('SIGINT');
  const timer = setTimeout(() => child.kill('SIGQUIT'), FAST_SHUTDOWN_MS);
  await exited;
  clearTimeout(timer);
}

import { createServer } from 'node:net';
import { resolve as absolute } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describeError, isLendingError, LendingError } from '@lending/errors';
import pg from 'pg';
import { findBinaries } from './binaries.ts';
import { chooseHome, homeIn, makeDataDir, reachableBinaries } from './home.ts';
import { initCluster, SERVER_ROLE } from './init-cluster.ts';
import { lockInstance } from './instance-lock.ts';
import { stopOrphan } from './orphan.ts';
import { toServerFailure } from './server-failure.ts';
import { type ServerProcess, type ServerProcessOptions, startServerProcess } from './server-process.ts';
import { chooseServerUser } from './server-user.ts';

/** The part of a logger that is used here. */
export interface PostgresLog {
  debug(event: `${string}.${string}.${string}`, fields: Readonly<Record<string, unknown>>): void;
  info(event: `${string}.${string}.${string}`, fields: Readonly<Record<string, unknown>>): void;
  warn(event: `${string}.${string}.${string}`, fields: Readonly<Record<string, unknown>>): void;
}

export interface StartPostgresOptions {
  /** Folder for the data, or for a pointer to it. Created if missing. */
  readonly dataDir: string;
  /** TCP port on 127.0.0.1; 0 (default) picks a free one. */
  readonly port?: number;
  /** Name of the database to connect to, created if missing. */
  readonly database?: string;
  /** Server settings over the defaults below, e.g. `fsync: 'off'` in tests. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly log?: PostgresLog;
}

/** An embedded server that is running and is kept running until stopped. */
export interface EmbeddedPostgres {
  readonly connectionString: string;
  readonly port: number;
  /** Where the data really is: `dataDir`, or the folder outside that its pointer names. */
  readonly folder: string;
  /** Why the server is down at the moment, null while it is up. */
  failure(): LendingError | null;
  /** Resolves when the server is gone and everything committed is on disk. Safe to call twice. */
  stop(): Promise<void>;
}

/** Small: one service on a laptop shares the machine with everything else. */
const SETTINGS = {
  shared_buffers: '64MB',
  max_connections: '50',
  jit: 'off',
  // No replicas read this log, so it need not hold what they would want.
  wal_level: 'minimal',
  max_wal_senders: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // A statement or its values could carry what must not reach a log.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_min_messages: 'error',
  logging_collector: 'off',
} as const;

const RESTART_FIRST_MS = 500;
const RESTART_LONGEST_MS = 5_000;
const START_ATTEMPTS = 20;
const START_PAUSE_MS = 250;

/**
 * Runs a real Postgres server for this process: creates its data on the first start, cleans up after whatever a killed
 * process left, and starts the server again if it goes down on its own (a full disk makes it do that).
 *
 * @throws RUNTIME__INSTANCE_INVALID when another process runs on this data.
 * @throws RUNTIME__PORT_UNAVAILABLE when a given port is taken.
 * @throws RUNTIME__DISK_EXCEEDED, POSTGRES__UNAVAILABLE, POSTGRES__PLATFORM_UNSUPPORTED with the one line that says why.
 */
export async function startPostgres(options: StartPostgresOptions): Promise<EmbeddedPostgres> {
  try {
    return await start(options);
  } catch (error) {
    if (isLendingError(error) || options.signal?.aborted) throw error;
    throw toServerFailure('Postgres could not be started', '', error);
  }
}

async function start(options: StartPostgresOptions): Promise<EmbeddedPostgres> {
  const { signal, log, database = SERVER_ROLE } = options;
  const dataDir = absolute(options.dataDir);
  const user = await chooseServerUser(homeIn(dataDir).cluster);
  await makeDataDir(dataDir, user);
  // The folder that was named is locked, wherever its data lives: two first starts must not each choose a place.
  const unlock = await lockInstance(homeIn(dataDir));
  try {
    const home = await chooseHome(dataDir, user);
    const binaries = await reachableBinaries(await findBinaries(), user);
    if ((await stopOrphan(home)) === 'stopped') log?.warn('postgres.orphan.stopped', { folder: home.folder });
    const settings: Record<string, string> = { ...SETTINGS, ...options.settings };
    const password = await initCluster(binaries, home, user, { noSync: settings.fsync === 'off' });
    signal?.throwIfAborted();
    const onLine = (line: string): void => logLine(log, line);
    const { server, port } = await startOnPort(options.port ?? 0, { binaries, home, user, settings, onLine });
    const supervisor = supervise(server, log, async () => {
      await stopOrphan(home);
      return await startServerProcess({ binaries, home, user, settings, onLine, port });
    });
    const stop = once(async () => {
      await supervisor.stop();
      await unlock();
    });
    signal?.addEventListener('abort', () => void stop(), { once: true });
    if (signal?.aborted) await stop();
    const connectionString = `postgres://${SERVER_ROLE}:${password}@127.0.0.1:${port}/${database}`;
    await ensureDatabase(connectionString, database).catch(async (error: unknown) => {
      await stop();
      throw error;
    });
    log?.info('postgres.server.started', { port, folder: home.folder, user: user?.name ?? null });
    return { connectionString, port, folder: home.folder, failure: supervisor.failure, stop };
  } catch (error) {
    await unlock();
    throw error;
  }
}

/**
 * Two failures pass by themselves. Between finding a free port and binding it somebody else may take it; then another one is
 * as good. And the last children of a server that was killed can need a moment to notice.
 */
async function startOnPort(
  wanted: number,
  options: Omit<ServerProcessOptions, 'port'>,
): Promise<{ server: ServerProcess; port: number }> {
  for (let attempt = 1; ; attempt += 1) {
    const port = wanted === 0 ? await freePort() : wanted;
    try {
      return { port, server: await startServerProcess({ ...options, port }) };
    } catch (error) {
      const isPortTaken = isLendingError(error, 'RUNTIME__PORT_UNAVAILABLE');
      if (isPortTaken && wanted !== 0) throw portTaken(port, error);
      if (!(isPortTaken || isStillAttached(error)) || attempt === START_ATTEMPTS) throw error;
      await pause(START_PAUSE_MS);
    }
  }
}

function isStillAttached(error: unknown): boolean {
  return isLendingError(error, 'POSTGRES__UNAVAILABLE') && error.message.includes('pre-existing shared memory block');
}

function portTaken(port: number, cause: unknown): LendingError {
  return new LendingError('RUNTIME__PORT_UNAVAILABLE', {
    message: `Port ${port} on 127.0.0.1, wanted for Postgres, is taken; free it or choose another`,
    context: { port },
    cause,
  });
}

interface Supervisor {
  readonly failure: () => LendingError | null;
  readonly stop: () => Promise<void>;
}

/** Keeps one server running. States: up → (exits on its own) → down, trying again → up; stopped from either, for good. */
function supervise(
  first: ServerProcess,
  log: PostgresLog | undefined,
  restart: () => Promise<ServerProcess>,
): Supervisor {
  const stopping = new AbortController();
  let current: ServerProcess | null = first;
  let failure: LendingError | null = null;

  async function run(): Promise<void> {
    while (current !== null) {
      const lastLines = await current.exited;
      if (stopping.signal.aborted) return;
      failure = toServerFailure('Postgres stopped on its own', lastLines);
      log?.warn('postgres.server.exited', { reason: failure.message });
      current = await restartUntilUp();
      failure = null;
    }
  }

  async function restartUntilUp(): Promise<ServerProcess | null> {
    const said = new Set<string>();
    for (let delay = RESTART_FIRST_MS; ; delay = Math.min(delay * 2, RESTART_LONGEST_MS)) {
      await pause(delay, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return null;
      try {
        const server = await restart();
        log?.info('postgres.server.restarted', {});
        return server;
      } catch (error) {
        failure = isLendingError(error) ? error : toServerFailure('Postgres did not start', '', error);
        const reason = describeError(failure);
        if (!said.has(reason)) log?.warn('postgres.server.restart_failed', { reason });
        said.add(reason);
      }
    }
  }

  const running = run();
  return {
    failure: () => failure,
    stop: async () => {
      stopping.abort();
      await current?.stop();
      await running;
      await current?.stop();
    },
  };
}

async function ensureDatabase(connectionString: string, database: string): Promise<void> {
  const url = new URL(connectionString);
  url.pathname = '/postgres';
  const client = new pg.Client({ connectionString: url.href });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [database]);
    if (found.rowCount === 0) await client.query(`create database ${client.escapeIdentifier(database)}`);
  } finally {
    await client.end();
  }
}

function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const probe = createServer();
  probe.on('error', reject);
  probe.listen(0, '127.0.0.1', () => {
    const address = probe.address();
    probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
  });
  return promise;
}

function logLine(log: PostgresLog | undefined, line: string): void {
  if (line.includes('PANIC:')) log?.warn('postgres.server.said', { line });
  else log?.debug('postgres.server.said', { line });
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}

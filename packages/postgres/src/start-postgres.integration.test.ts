import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type ErrorCode, isLendingError } from '@lending/errors';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { removePostgres } from './remove-postgres.ts';
import { type EmbeddedPostgres, type StartPostgresOptions, startPostgres } from './start-postgres.ts';

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;
const hasProc = process.platform === 'linux';
let folder: string;
let dataDir: string;
const running: EmbeddedPostgres[] = [];
const holders: ChildProcess[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lending-postgres-'));
  await chmod(folder, 0o711);
  dataDir = join(folder, 'postgres');
});

afterEach(async () => {
  for (const holder of holders.splice(0)) holder.kill('SIGKILL');
  for (const postgres of running.splice(0)) await postgres.stop();
  await removePostgres({ dataDir });
  await rm(folder, { recursive: true });
});

async function start(options: Partial<StartPostgresOptions> = {}): Promise<EmbeddedPostgres> {
  const postgres = await startPostgres({ dataDir, ...options });
  running.push(postgres);
  return postgres;
}

async function query(connectionString: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query({ text, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

/** A process of its own that starts a server and holds it until it is killed. */
function hold(): ChildProcess {
  const program = `
    import { startPostgres } from '@lending/postgres';
    const postgres = await startPostgres({ dataDir: ${JSON.stringify(dataDir)} });
    console.log(postgres.connectionString);
  `;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  holders.push(holder);
  return holder;
}

async function holdUntilUp(): Promise<{ holder: ChildProcess; connectionString: string; pid: number }> {
  const holder = hold();
  const [line] = (await once(holder.stdout as NonNullable<typeof holder.stdout>, 'data')) as [Buffer];
  return { holder, connectionString: line.toString().trim(), pid: await postmasterPid() };
}

async function killHard(holder: ChildProcess): Promise<void> {
  if (holder.exitCode !== null) throw new Error('The process ended before it was killed');
  holder.kill('SIGKILL');
  await once(holder, 'exit');
}

async function postmasterPid(): Promise<number> {
  return Number.parseInt(await readFile(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8'), 10);
}

/** The shell that waits beside a server for its parent's end. */
async function watchdogPid(serverPid: number): Promise<number> {
  for (const name of await readdir('/proc')) {
    const command = await readFile(join('/proc', name, 'cmdline'), 'utf8').catch(() => '');
    if (command.includes('kill -INT') && command.split('\0').includes(String(serverPid))) return Number(name);
  }
  throw new Error(`No watchdog of ${serverPid}`);
}

/** Whether the server still runs. A number alone does not tell: a dead process keeps it until its parent takes note. */
async function isServing(pid: number): Promise<boolean> {
  if (hasProc) return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')) !== '';
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function code(expected: ErrorCode, text: RegExp): (error: unknown) => boolean {
  return (error) => isLendingError(error, expected) && text.test(error.message);
}

const stays = "create table if not exists kept as select 'committed' as word";

describe('startPostgres on a cluster that exists', () => {
  // Made once and copied, owners and all: each test wants one that nothing happened to.
  let made: string;
  beforeAll(async () => {
    made = await mkdtemp(join(tmpdir(), 'lending-postgres-'));
    await chmod(made, 0o711);
    const postgres = await startPostgres({ dataDir: join(made, 'postgres') });
    await postgres.stop();
  });
  beforeEach(() => run('cp', ['-a', join(made, 'postgres'), dataDir]));
  afterAll(async () => {
    await removePostgres({ dataDir: join(made, 'postgres') });
    await rm(made, { recursive: true });
  });

  it('finds the same data at the second start', async () => {
    const first = await start();
    await query(first.connectionString, stays);
    await first.stop();
    const second = await start();
    expect(await query(second.connectionString, 'select word from kept')).toEqual(['committed']);
  });

  it('writes to disk, listens on this machine only, and asks for a password', async () => {
    const { connectionString, port } = await start();
    expect(await query(connectionString, 'show fsync')).toEqual(['on']);
    expect(await query(connectionString, 'show synchronous_commit')).toEqual(['on']);
    expect(await query(connectionString, 'show listen_addresses')).toEqual(['127.0.0.1']);
    await expect(query(`postgres://lending:wrong@127.0.0.1:${port}/lending`, 'select 1')).rejects.toMatchObject({
      code: '28P01',
    });
  });

  it('refuses a second server on the same data', async () => {
    await start();
    await expect(start()).rejects.toSatisfy(code('RUNTIME__INSTANCE_INVALID', new RegExp(String(process.pid))));
    await expect(removePostgres({ dataDir })).rejects.toSatisfy(code('RUNTIME__INSTANCE_INVALID', /already runs/));
  });

  it('names the port that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    await expect(start({ port })).rejects.toSatisfy(code('RUNTIME__PORT_UNAVAILABLE', new RegExp(String(port))));
    other.close();
    expect((await start({ port })).port).toBe(port);
  });

  it('says in the server’s own words why it does not start', async () => {
    await expect(start({ settings: { shared_buffers: 'plenty' } })).rejects.toSatisfy(
      code('POSTGRES__UNAVAILABLE', /shared_buffers.*plenty/),
    );
    await start();
  });

  it('stops when its signal aborts', async () => {
    const controller = new AbortController();
    const postgres = await start({ signal: controller.signal });
    const pid = await postmasterPid();
    controller.abort();
    await postgres.stop();
    expect(await isServing(pid)).toBe(false);
  });

  it('ignores a pid file that outlived its server, even if the number now belongs to another process', async () => {
    await (await start()).stop();
    const cluster = join(dataDir, 'cluster');
    const { uid, gid } = await lstat(cluster);
    const other = spawn('sleep', ['60'], isRoot ? { uid, gid } : {});
    holders.push(other);
    const rest = `${cluster}\n1700000000\n5432\n\n127.0.0.1\n  0  0\nready\n`;
    await writeFile(join(cluster, 'postmaster.pid'), `${other.pid}\n${rest}`);
    expect(await query((await start()).connectionString, 'select 1')).toEqual([1]);
    expect(other.exitCode).toBe(null);
    expect(other.signalCode).toBe(null);
  });

  it('takes the server down with a process that was killed', async () => {
    const { holder, pid } = await holdUntilUp();
    await killHard(holder);
    await expect.poll(() => isServing(pid)).toBe(false);
  });

  it.skipIf(!hasProc)('stops a server that was left over, and never runs two', async () => {
    const { holder, connectionString, pid } = await holdUntilUp();
    await query(connectionString, stays);
    process.kill(await watchdogPid(pid), 'SIGKILL');
    await killHard(holder);
    expect(await isServing(pid)).toBe(true);
    const postgres = await start();
    expect(await isServing(pid)).toBe(false);
    expect(await query(postgres.connectionString, 'select word from kept')).toEqual(['committed']);
  });

  it.skipIf(!hasProc)('loses nothing that was committed when everything is killed', async () => {
    const { holder, connectionString, pid } = await holdUntilUp();
    await query(connectionString, stays);
    process.kill(await watchdogPid(pid), 'SIGKILL');
    process.kill(pid, 'SIGKILL');
    await killHard(holder);
    const postgres = await start();
    expect(await query(postgres.connectionString, 'select word from kept')).toEqual(['committed']);
  });

  it('starts the server again when it goes down on its own, and says why meanwhile', async () => {
    const postgres = await start();
    await query(postgres.connectionString, stays);
    process.kill(await postmasterPid(), 'SIGKILL');
    await expect.poll(() => postgres.failure()?.code, { interval: 5 }).toBe('POSTGRES__UNAVAILABLE');
    await expect.poll(() => postgres.failure()).toBe(null);
    expect(await query(postgres.connectionString, 'select word from kept')).toEqual(['committed']);
  });

  it('says once why it does not start again, however often it tries', async () => {
    const reasons: string[] = [];
    const log = { debug: () => undefined, info: () => undefined, warn: noteFailure };
    function noteFailure(event: string, { reason }: Readonly<Record<string, unknown>>): void {
      if (event === 'postgres.server.restart_failed') reasons.push(String(reason));
    }
    const postgres = await start({ log });
    const version = join(dataDir, 'cluster', 'PG_VERSION');
    await rename(version, `${version}.away`);
    process.kill(await postmasterPid(), 'SIGKILL');
    await expect.poll(() => reasons.length).toBe(1);
    await pause(2_000);
    expect(reasons).toHaveLength(1);
    await rename(`${version}.away`, version);
    await expect.poll(() => postgres.failure()).toBe(null);
  });

  it('stops for good while it tries to start again', async () => {
    const postgres = await start();
    process.kill(await postmasterPid(), 'SIGKILL');
    await expect.poll(() => postgres.failure(), { interval: 5 }).not.toBe(null);
    await postgres.stop();
    await pause(1_000);
    await expect(query(postgres.connectionString, 'select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

describe('the first start', () => {
  it('keeps password and data to itself', async () => {
    await start();
    expect((await lstat(join(dataDir, 'password'))).mode & 0o077).toBe(0);
    expect((await lstat(join(dataDir, 'cluster'))).mode & 0o077).toBe(0);
  });

  it('starts over after it was killed anywhere in the first start', async () => {
    for (const afterMs of [150, 300, 450, 600, 750]) {
      const holder = hold();
      await pause(afterMs);
      await killHard(holder);
    }
    const postgres = await start();
    expect(await query(postgres.connectionString, 'select 1')).toEqual([1]);
    expect((await readdir(dataDir)).filter((name) => name.startsWith('initdb-'))).toEqual([]);
  });
});

describe.skipIf(!isRoot)('startPostgres as root', () => {
  beforeEach(() => chmod(folder, 0o700));

  it('keeps data outside a folder closed to others, finds it again, and removes it', async () => {
    const first = await start();
    expect(first.folder).not.toContain(folder);
    expect((await lstat(join(first.folder, 'cluster'))).uid).not.toBe(0);
    expect((await lstat(join(first.folder, 'cluster'))).mode & 0o077).toBe(0);
    await query(first.connectionString, stays);
    await first.stop();
    const second = await start();
    expect(second.folder).toBe(first.folder);
    expect(await query(second.connectionString, 'select word from kept')).toEqual(['committed']);
    await second.stop();
    await removePostgres({ dataDir });
    expect(await lstat(second.folder).catch(() => null)).toBe(null);
    expect(await lstat(dataDir).catch(() => null)).toBe(null);
  });

  it('lets one of two first starts win, and makes one place for the data', async () => {
    const outcomes = await Promise.allSettled([start(), start()]);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused.map(({ reason }) => reason.code)).toEqual(['RUNTIME__INSTANCE_INVALID']);
    const pointer = JSON.parse(await readFile(join(dataDir, 'location.json'), 'utf8'));
    expect(pointer.home).toBe(running[0]?.folder);
  });

  it('removes its own data and nobody else’s', async () => {
    const own = await start();
    await own.stop();
    const beside = join(dirname(own.folder), `data-test-${process.pid}`);
    await mkdir(beside);
    await removePostgres({ dataDir });
    expect(await readdir(dirname(own.folder))).toContain(basename(beside));
    await rm(beside, { recursive: true });
    expect(await lstat(dirname(own.folder)).catch(() => null)).not.toBe(null);
  });

  it('starts under a umask that shuts everybody out', async () => {
    const umask = process.umask(0o077);
    try {
      const postgres = await start();
      expect(await query(postgres.connectionString, 'select 1')).toEqual([1]);
    } finally {
      process.umask(umask);
    }
  });

  it('does not follow a pointer to a folder that is not root’s', async () => {
    await mkdir(dataDir);
    const trap = join(folder, 'trap');
    await mkdir(trap);
    await writeFile(join(dataDir, 'location.json'), JSON.stringify({ home: trap }));
    const postgres = await start();
    expect(postgres.folder).not.toBe(trap);
    expect(await readdir(trap)).toEqual([]);
  });
});

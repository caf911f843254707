import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { LendingError } from '@lending/errors';
import type { Home } from './home.ts';

/** A fast shutdown writes a checkpoint, which can take a while on a slow disk. */
const FAST_SHUTDOWN_MS = 30_000;
const IMMEDIATE_SHUTDOWN_MS = 10_000;

/** Above what any system hands out, so no process ever has it. */
const NOBODYS_PID = 4_194_305;

/**
 * Makes sure that no server runs on this home: one may have outlived the process that started it.
 * The caller holds the instance lock, so whoever started that server is dead.
 *
 * Its pid file may also outlive the server, and then the number in it can belong to anybody; so the process is asked what it
 * is before it is signalled.
 */
export async function stopOrphan(home: Home): Promise<'none' | 'stopped'> {
  const pidFile = join(home.cluster, 'postmaster.pid');
  const pid = await readPid(pidFile);
  if (pid === null) return 'none';
  if (!(await isServerOf(pid, home))) {
    await disown(pidFile);
    return 'none';
  }
  if (await signalAndWait(pid, 'SIGINT', FAST_SHUTDOWN_MS, home)) return 'stopped';
  if (await signalAndWait(pid, 'SIGQUIT', IMMEDIATE_SHUTDOWN_MS, home)) return 'stopped';
  throw new LendingError('RUNTIME__INSTANCE_INVALID', {
    message: `A Postgres server left over from an earlier run (process ${pid}) on ${home.cluster} does not stop`,
    context: { pid },
  });
}

/**
 * Postgres refuses to start while somebody has the number in the file. The file is not removed, because Postgres also reads
 * from it which shared memory the dead server's last children may still be writing through.
 */
async function disown(pidFile: string): Promise<void> {
  const text = await readFile(pidFile, 'utf8');
  await writeFile(pidFile, text.replace(/^\s*-?\d+/, String(NOBODYS_PID)));
}

async function readPid(pidFile: string): Promise<number | null> {
  const text = await readFile(pidFile, 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  return Number.isInteger(pid) && pid > 1 && pid !== NOBODYS_PID ? pid : null;
}

async function signalAndWait(pid: number, signal: NodeJS.Signals, limitMs: number, home: Home): Promise<boolean> {
  try {
    process.kill(pid, signal);
  } catch {
    return !(await isServerOf(pid, home));
  }
  for (const start = Date.now(); Date.now() - start < limitMs; await pause(25)) {
    if (!(await isServerOf(pid, home))) return true;
  }
  return false;
}

/** Whether that process is a Postgres started on this home's cluster, told by its command line. */
async function isServerOf(pid: number, home: Home): Promise<boolean> {
  const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => null)) ?? (await psCommand(pid));
  return command.includes('postgres') && command.includes(home.cluster);
}

/** Where there is no /proc. */
async function psCommand(pid: number): Promise<string> {
  if (process.platform === 'linux') return '';
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = '';
  const child = spawn('ps', ['-o', 'command=', '-p', String(pid)], { stdio: ['ignore', 'pipe', 'ignore'] });
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  child.on('error', () => resolve('')).on('close', () => resolve(text));
  return promise;
}

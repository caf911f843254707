import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LendingError } from '@lending/errors';
import type { Home } from './home.ts';

interface Holder {
  readonly pid: number;
  /** Tells a process from a later one with the same number; null where the system does not say. */
  readonly birth: string | null;
}

/**
 * Claims a home for this process, so that two never run a server on the same data or stop each other's.
 * A claim whose process is dead is void.
 *
 * A claim is written beside its place and linked into it, so that nobody ever reads half of one and takes it for void. A void
 * one is moved aside and read again: of two that found it void, the slower may have moved the faster one's new claim.
 * @returns a function that gives the claim up.
 * @throws RUNTIME__INSTANCE_INVALID while another process, or this one, holds it.
 */
export async function lockInstance(home: Home): Promise<() => Promise<void>> {
  const path = join(home.folder, 'instance.json');
  const own = `${path}.${randomBytes(8).toString('hex')}`;
  await writeFile(own, JSON.stringify(await describeHolder()), { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (await linked(own, path)) return () => rm(path, { force: true });
      await refuseLive(home, path);
      const aside = `${own}.void`;
      if (!(await moved(path, aside))) continue;
      try {
        await refuseLive(home, aside);
      } catch (error) {
        await linked(aside, path);
        throw error;
      } finally {
        await rm(aside, { force: true });
      }
    }
  } finally {
    await rm(own, { force: true });
  }
  throw instanceRuns(home, null);
}

/** Each one that fails means that somebody else came or went in between. */
const ATTEMPTS = 10;

async function linked(from: string, to: string): Promise<boolean> {
  return await unless('EEXIST', link(from, to));
}

async function moved(from: string, to: string): Promise<boolean> {
  return await unless('ENOENT', rename(from, to));
}

async function unless(code: string, work: Promise<void>): Promise<boolean> {
  return await work.then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== code) throw error;
      return false;
    },
  );
}

async function refuseLive(home: Home, path: string): Promise<void> {
  const holder = await readHolder(path);
  if (holder !== null && (await isAlive(holder))) throw instanceRuns(home, holder.pid);
}

async function describeHolder(): Promise<Holder> {
  return { pid: process.pid, birth: await birthOf(process.pid) };
}

/** Null when the claim is gone again, or is not whole: an older version, or a machine that lost power, left it so. */
async function readHolder(path: string): Promise<Holder | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Holder;
  } catch {
    return null;
  }
}

async function isAlive(holder: Holder): Promise<boolean> {
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return (await birthOf(holder.pid)) === holder.birth;
}

/**
 * Boot of the machine and start of the process in clock ticks since then: fields of Linux's /proc. A process that is dead and
 * only waits for its parent to take note (in a container that can be for ever) has none.
 */
async function birthOf(pid: number): Promise<string | null> {
  try {
    const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? 'dead' : `${boot}/${fields[18]}`;
  } catch {
    return null;
  }
}

function instanceRuns(home: Home, pid: number | null): LendingError {
  const who = pid === null ? 'Another process' : `Process ${pid}`;
  return new LendingError('RUNTIME__INSTANCE_INVALID', {
    message: `${who} already runs on ${home.folder}; stop it first, or give this one another data folder`,
    context: { pid, folder: home.folder },
  });
}

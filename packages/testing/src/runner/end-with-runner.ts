import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';
import { descendantsOf, kill } from './processes.ts';

/** Linux has a file system in memory here. */
const MEMORY = '/dev/shm';
const MEMORY_WANTED_BYTES = 8 * 2 ** 30;
const NAME = /^lending-run-(\d+)$/;

/**
 * Lets nothing outlive a run of tests: when the runner ends, by a signal too, what it started is killed; and it ends when the process that
 * started it is gone. Temporary files go to a folder in memory where there is room (a disk costs Postgres 200 ms of processor time for a
 * new database, memory 30), which is removed in the end; the next run removes that of a runner that was killed.
 */
export function endWithRunner(): void {
  const folder = openFolderInMemory();
  if (folder !== null) process.env.TMPDIR ??= folder;
  process.once('exit', () => {
    for (const pid of descendantsOf(process.pid)) kill(pid);
    if (folder !== null) remove(folder);
  });
  process.once('disconnect', () => process.exit(1));
  // The channel itself does not keep the runner alive.
  process.channel?.unref();
}

/** A test of a full disk mounts one here, which outlives it when it is killed. */
function remove(folder: string): void {
  const mounted = readFileSync('/proc/mounts', 'utf8').matchAll(/^\S+ (\S+) /gm);
  for (const [, at = ''] of mounted) if (at.startsWith(`${folder}/`)) spawnSync('/bin/umount', ['--lazy', at]);
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}

function openFolderInMemory(): string | null {
  if (!existsSync(MEMORY)) return null;
  for (const name of readdirSync(MEMORY)) {
    const [, pid] = NAME.exec(name) ?? [];
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) remove(join(MEMORY, name));
  }
  const { bavail, bsize } = statfsSync(MEMORY);
  // Containers may not run programs from it, and tests write some.
  const mayRun = !/ \/dev\/shm \S+ \S*noexec/.test(readFileSync('/proc/mounts', 'utf8'));
  if (!mayRun || Math.min(bavail * bsize, freemem()) <= MEMORY_WANTED_BYTES) return null;
  const folder = join(MEMORY, `lending-run-${process.pid}`);
  // Database servers run as another user, who has to get in.
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  return folder;
}

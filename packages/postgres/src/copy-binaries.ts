import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, cp, lstat, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Binaries, binariesIn } from './binaries.ts';

/**
 * Puts a copy of the Postgres programs into a folder, once per version: about 60 MB.
 *
 * The copy appears under its name by a rename, whole or not at all, so two starts at once and a kill in the middle do no harm.
 * It stays root's: the server's user can run it and not change it.
 */
export async function copyBinaries(from: Binaries, folder: string): Promise<Binaries> {
  const target = join(folder, `postgres-${from.key}`);
  if (await isFolder(target)) return binariesIn(target, from.key);
  const staging = join(folder, `copying-${randomBytes(6).toString('hex')}`);
  try {
    await cp(from.folder, staging, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') });
    await openToAll(staging);
    await flushDisks();
    await rename(staging, target).catch(async (cause: unknown) => {
      if (!(await isFolder(target))) throw cause;
    });
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  return binariesIn(target, from.key);
}

async function isFolder(path: string): Promise<boolean> {
  return lstat(path).then(
    (stat) => stat.isDirectory(),
    () => false,
  );
}

/** Installed under a tight umask the programs would be root's alone. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await chmod(path, 0o755);
    if (entry.isFile()) await chmod(path, (await lstat(path)).mode & 0o100 ? 0o755 : 0o644);
  }
}

/** A name that survives a power cut while the bytes behind it do not would break every later start. */
async function flushDisks(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  spawn('sync', { stdio: 'ignore' })
    .on('error', () => resolve())
    .on('exit', () => resolve());
  return promise;
}

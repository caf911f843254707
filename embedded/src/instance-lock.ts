import { createHash } from 'node:crypto';
import { mkdir, realpath, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { LendingError } from '@lending/errors';

/**
 * Makes sure that one process alone works on a data folder, for as long as it lives.
 *
 * The lock is a listening local socket: the system takes it away with the process, however that ends, so there is no stale
 * lock to judge by age or process number. It stands in the temporary folder because socket paths are limited to about 100
 * bytes and a data folder's may be longer.
 *
 * Returns the release.
 * @throws RUNTIME__INSTANCE_INVALID when another living process holds the folder.
 */
export async function lockInstance(dataDir: string): Promise<() => Promise<void>> {
  await mkdir(dataDir, { recursive: true });
  const path = lockPath(await realpath(dataDir));
  const server = (await tryListen(path)) ?? (await takeOver(path));
  if (server === undefined) {
    throw new LendingError('RUNTIME__INSTANCE_INVALID', {
      message: `Another instance runs on ${dataDir}; stop it, or set DATA_DIR to another folder`,
      context: { dataDir },
    });
  }
  server.unref();
  return () => new Promise((resolve) => server.close(() => resolve()));
}

function lockPath(dataDir: string): string {
  const name = `lending-${userInfo().uid}-${createHash('sha256').update(dataDir).digest('hex').slice(0, 24)}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
}

/** A socket file without a listener was left by a process that is gone. */
async function takeOver(path: string): Promise<Server | undefined> {
  if (await isAnswered(path)) return undefined;
  await rm(path, { force: true });
  return tryListen(path);
}

function tryListen(path: string): Promise<Server | undefined> {
  const server = createServer((socket) => socket.end());
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    );
    server.listen(path, () => resolve(server));
  });
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import type { Home } from './home.ts';
import { toServerFailure } from './server-failure.ts';
import { asUser, type ServerUser } from './server-user.ts';

/** The one role; it owns everything. */
export const SERVER_ROLE = 'lending';

/**
 * Creates the cluster if the home has none.
 *
 * `initdb` works in a folder of its own, flushes it to disk and only then gets its final name, so a cluster that exists is
 * whole: what a kill in the middle left behind is swept away here.
 * @returns the password of `SERVER_ROLE`.
 */
export async function initCluster(
  binaries: Binaries,
  home: Home,
  user: ServerUser | null,
  options: { readonly noSync?: boolean } = {},
): Promise<string> {
  await sweep(home);
  const passwordFile = join(home.folder, 'password');
  if (await lstat(home.cluster).catch(() => null)) return (await readFile(passwordFile, 'utf8')).trim();

  const password = randomBytes(24).toString('base64url');
  await rm(passwordFile, { force: true });
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  const staging = join(home.folder, `initdb-${randomBytes(6).toString('hex')}`);
  await mkdir(staging, { mode: 0o700 });
  const secret = join(staging, 'secret');
  await writeFile(secret, `${password}\n`, { mode: 0o400 });
  if (user !== null) {
    await chown(secret, user.uid, user.gid);
    await chown(staging, user.uid, user.gid);
  }
  try {
    await runInitdb(binaries, join(staging, 'cluster'), secret, user, options.noSync === true);
    await rename(join(staging, 'cluster'), home.cluster);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  return password;
}

/** An `initdb` whose parent was killed goes on for a moment, and may write a file where one was just removed. */
async function sweep(home: Home): Promise<void> {
  for (const name of await readdir(home.folder)) {
    if (!name.startsWith('initdb-')) continue;
    await rm(join(home.folder, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

async function runInitdb(
  binaries: Binaries,
  cluster: string,
  secret: string,
  user: ServerUser | null,
  noSync: boolean,
): Promise<void> {
  await chmod(binaries.initdb, 0o755).catch(() => undefined);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const parts: string[] = [];
  const child = spawn(
    binaries.initdb,
    [
      `--pgdata=${cluster}`,
      `--username=${SERVER_ROLE}`,
      `--pwfile=${secret}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // The provider inside Postgres sorts and folds the same on every machine; the machine's own locales do not.
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
      ...(noSync ? ['--no-sync'] : []),
    ],
    { ...asUser(user), stdio: ['ignore', 'ignore', 'pipe'] },
  );
  child.stderr.on('data', (chunk: Buffer) => parts.push(chunk.toString()));
  child.on('error', (cause) => reject(toServerFailure('Postgres could not create its data folder', '', cause)));
  child.on('close', (code) => {
    if (code === 0) resolve();
    else reject(toServerFailure('Postgres could not create its data folder', parts.join('')));
  });
  return promise;
}

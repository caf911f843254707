import { spawn } from 'node:child_process';
import { lstat, readFile } from 'node:fs/promises';
import { LendingError } from '@lending/errors';

/** Whom the server runs as when we are root. Postgres refuses to run as root. */
export interface ServerUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Account names of a Postgres installation (`_postgres` on macOS), then the one that owns nothing. */
const CANDIDATES = ['postgres', '_postgres', 'nobody'];

/**
 * The user to run Postgres as; null when we are not root and simply stay who we are.
 *
 * The owner of an existing cluster stays its owner. Otherwise an account that is already there is taken: none is created, and
 * a bare number will not do, because `initdb` looks its user's name up.
 * @throws POSTGRES__UNAVAILABLE when the machine has none of the accounts.
 */
export async function chooseServerUser(cluster: string): Promise<ServerUser | null> {
  if (process.getuid?.() !== 0) return null;
  const users = await readUsers();
  const owner = await lstat(cluster).then(
    (stat) => stat.uid,
    () => 0,
  );
  const chosen =
    (owner === 0 ? undefined : users.find((user) => user.uid === owner)) ??
    CANDIDATES.map((name) => users.find((user) => user.name === name && user.uid !== 0)).find((user) => user);
  if (chosen) return chosen;
  throw new LendingError('POSTGRES__UNAVAILABLE', {
    message: `Postgres does not run as root and this machine has no user ${CANDIDATES.join(' or ')}; start as another user`,
  });
}

async function readUsers(): Promise<ServerUser[]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return text
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4)
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }));
}

/** Whether that user can enter the folder and read and run the file, asked of the kernel as that user. */
export async function canReach(user: ServerUser, folder: string, program?: string): Promise<boolean> {
  const script = 'test -x "$1" && { test -z "$2" || { test -r "$2" && test -x "$2"; }; }';
  const { promise, resolve } = Promise.withResolvers<boolean>();
  spawn('/bin/sh', ['-c', script, 'sh', folder, program ?? ''], { ...asUser(user), stdio: 'ignore' })
    .on('error', () => resolve(false))
    .on('exit', (code) => resolve(code === 0));
  return promise;
}

/**
 * How to spawn a program of the server. Its working folder is one that every user can enter, and its environment is
 * empty: ours holds keys that are no business of the server.
 */
export function asUser(user: ServerUser | null): {
  cwd: string;
  env: Record<string, string>;
  uid?: number;
  gid?: number;
} {
  const ids = user === null ? {} : { uid: user.uid, gid: user.gid };
  return { cwd: '/', env: { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' }, ...ids };
}

import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { LendingError } from '@lending/errors';
import type { Binaries } from './binaries.ts';
import { copyBinaries } from './copy-binaries.ts';
import { canReach, type ServerUser } from './server-user.ts';

/** Where one server keeps its files: `cluster/` (the server's own), `password` and `instance.json` (ours). */
export interface Home {
  readonly folder: string;
  readonly cluster: string;
}

/** Folders outside any home, tried in order. In the first only root can create; in the others ownership is checked. */
const OUTSIDE = ['/var/lib', '/var/tmp', tmpdir()].map((base) => join(base, 'lending-agent'));

/** The server's user can pass through, and see or write nothing. */
const PASSABLE = 0o711;

export function homeIn(folder: string): Home {
  return { folder, cluster: join(folder, 'cluster') };
}

/** Makes the folder if there is none. When it is made for another user to pass through, so are the folders above it. */
export async function makeDataDir(dataDir: string, user: ServerUser | null): Promise<void> {
  const created = await mkdir(dataDir, { recursive: true, mode: 0o700 });
  if (created === undefined || user === null) return;
  // Asked for by itself, here and below, because a tight umask takes away what `mkdir` is asked for.
  for (const folder of foldersBetween(created, dataDir)) await chmod(folder, PASSABLE);
}

/**
 * Chooses where the data lives: in `dataDir` if the server's user can go there, else in a folder outside that it can
 * reach. In that case `dataDir/location.json` says where, so that later starts and a reset find the same data.
 * @throws POSTGRES__UNAVAILABLE when no folder will do.
 */
export async function chooseHome(dataDir: string, user: ServerUser | null): Promise<Home> {
  const moved = await findMovedHome(dataDir);
  if (moved !== null && user === null) {
    throw new LendingError('POSTGRES__UNAVAILABLE', {
      message: `The data of ${dataDir} was created by root in ${moved.folder}; start as root, or run "npm run reset" as root`,
    });
  }
  if (moved !== null) return moved;
  if (user === null || (await exists(homeIn(dataDir).cluster)) || (await canReach(user, dataDir)))
    return homeIn(dataDir);
  return await createMovedHome(dataDir, await chooseOutside(user));
}

/** `top`, `folder`, and what lies between: all that one `mkdir` made. */
function foldersBetween(top: string, folder: string): readonly string[] {
  return folder === top ? [folder] : [...foldersBetween(top, dirname(folder)), folder];
}

/** The home that a pointer in `dataDir` names; null when there is none, or what it names is gone or not root's. */
export async function findMovedHome(dataDir: string): Promise<Home | null> {
  const text = await readFile(pointerOf(dataDir), 'utf8').catch(() => null);
  if (text === null) return null;
  const { home } = JSON.parse(text) as { home: string };
  return OUTSIDE.includes(dirname(home)) && (await isRootFolder(home)) ? homeIn(home) : null;
}

/** Programs that the server's user can run: the installed ones, or a copy of them outside. */
export async function reachableBinaries(installed: Binaries, user: ServerUser | null): Promise<Binaries> {
  if (user === null || (await canReach(user, join(installed.folder, 'share'), installed.postgres))) return installed;
  return await copyBinaries(installed, await chooseOutside(user));
}

/**
 * Removes all data of `dataDir`, wherever it lives, and nothing else: the folder outside is shared with every other checkout of
 * this machine, and another server may run from the copied programs at this moment. They stay, about 60 MB per version.
 */
export async function removeHome(dataDir: string): Promise<void> {
  const moved = await findMovedHome(dataDir);
  if (moved !== null) await rm(moved.folder, { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
}

/** The name is random and the parent is root's, so nobody can prepare or swap what root will write to. */
async function createMovedHome(dataDir: string, outside: string): Promise<Home> {
  const folder = join(outside, `data-${randomBytes(8).toString('hex')}`);
  await mkdir(folder);
  await chmod(folder, PASSABLE);
  const staging = `${pointerOf(dataDir)}.new`;
  await writeFile(staging, `${JSON.stringify({ home: folder })}\n`, { mode: 0o644 });
  await rename(staging, pointerOf(dataDir));
  return homeIn(folder);
}

async function chooseOutside(user: ServerUser): Promise<string> {
  for (const folder of OUTSIDE) {
    await mkdir(folder).then(
      () => chmod(folder, PASSABLE),
      () => undefined,
    );
    if ((await isRootFolder(folder)) && (await canReach(user, folder))) return folder;
  }
  throw new LendingError('POSTGRES__UNAVAILABLE', {
    message: `User ${user.name} can reach neither the data folder nor ${OUTSIDE.join(', ')}; open one of them or start as another user`,
  });
}

/** A real folder of root's into which nobody else can write. */
async function isRootFolder(path: string): Promise<boolean> {
  const stat = await lstat(path).catch(() => null);
  return stat?.isDirectory() === true && stat.uid === 0 && (stat.mode & 0o022) === 0;
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

function pointerOf(dataDir: string): string {
  return join(dataDir, 'location.json');
}

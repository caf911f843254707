import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Whether this process may give a server a disk of its own. */
export const CAN_MOUNT = process.platform === 'linux' && process.getuid?.() === 0;

/** A small disk that a test fills. */
export interface Disk {
  /** An empty folder on it. */
  readonly folder: string;
  /** Takes all that is left, down to the last block. */
  fill(): Promise<void>;
  makeRoom(): Promise<void>;
  close(): Promise<void>;
}

/** A disk of so many MB; where it may not mount one, a folder that cannot be filled. */
export async function openDisk(name: string, megabytes: number): Promise<Disk> {
  const root = await mkdtemp(join(tmpdir(), `${name}-`));
  if (CAN_MOUNT) await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', root]);
  // A database server that root starts runs as somebody else, who has to get in.
  await chmod(root, 0o711);
  const folder = join(root, 'data');
  await mkdir(folder);
  const ballast = join(root, 'ballast');
  return {
    folder,
    async fill() {
      if (!CAN_MOUNT) throw new Error('this disk is everybody’s');
      await writeFile(ballast, '');
      await run('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=4k']).catch(() => undefined);
    },
    makeRoom: () => rm(ballast, { force: true }),
    async close() {
      if (CAN_MOUNT) await run('umount', ['-l', root]);
      await rm(root, { recursive: true, force: true });
    },
  };
}

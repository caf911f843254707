import { lstat } from 'node:fs/promises';
import { resolve as absolute } from 'node:path';
import { findMovedHome, homeIn, removeHome } from './home.ts';
import { lockInstance } from './instance-lock.ts';
import { stopOrphan } from './orphan.ts';

/**
 * Removes a server's data, also where it lives outside `dataDir`. Nothing happens when there is none.
 * @throws RUNTIME__INSTANCE_INVALID while a process runs on it.
 */
export async function removePostgres(options: { readonly dataDir: string }): Promise<void> {
  const dataDir = absolute(options.dataDir);
  if (!(await lstat(dataDir).catch(() => null))) return;
  const home = (await findMovedHome(dataDir)) ?? homeIn(dataDir);
  const unlock = await lockInstance(homeIn(dataDir));
  try {
    await stopOrphan(home);
    await removeHome(dataDir);
  } catch (error) {
    await unlock();
    throw error;
  }
}

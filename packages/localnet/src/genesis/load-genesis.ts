import { stat } from 'node:fs/promises';
import { invalidGenesis } from './account-dump.ts';
import type { Genesis } from './genesis.ts';
import { loadGenesisFolder } from './load-folder.ts';
import { loadGenesisManifest } from './load-manifest.ts';

/**
 * The genesis a setting names: a folder of account dumps, or a manifest file that names dumps below `fixturesDir`.
 * @throws LOCALNET__GENESIS_INVALID naming the file and what is wrong with it.
 */
export async function loadGenesis(path: string, fixturesDir: string): Promise<Genesis> {
  const found = await stat(path).catch((cause: unknown) => {
    throw invalidGenesis(path, 'does not exist', cause);
  });
  return found.isDirectory() ? loadGenesisFolder(path) : loadGenesisManifest(path, fixturesDir);
}

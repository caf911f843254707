import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Address } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';
import { invalidGenesis, readAccountDump } from './account-dump.ts';
import type { Genesis } from './genesis.ts';

/** Files that lie beside dumps in the fixtures and are none themselves. */
const NOT_A_DUMP = /\.(expected|math)\.json$/;

/**
 * Every account dump (`*.json`) of a folder, not of folders below it. The chain's clock runs.
 * @throws LOCALNET__GENESIS_INVALID naming the file and what is wrong with it, or an address that stands in two files.
 */
export async function loadGenesisFolder(folder: string): Promise<Genesis> {
  const names = (await listFolder(folder)).filter((name) => name.endsWith('.json') && !NOT_A_DUMP.test(name)).sort();
  if (names.length === 0) throw invalidGenesis(folder, 'the folder holds no account dump (*.json)');
  const accounts = new Map<Address, AccountState>();
  for (const name of names) {
    const file = join(folder, name);
    const dump = await readAccountDump(file);
    placeAccount(accounts, file, dump.address, dump.state);
  }
  return { accounts, clock: null, notes: [] };
}

/** Adds an account, once: two dumps of one address would silently hide one of them. */
export function placeAccount(
  accounts: Map<Address, AccountState>,
  file: string,
  address: Address,
  state: AccountState,
): void {
  if (accounts.has(address)) throw invalidGenesis(file, `the address ${address} was already given by another file`);
  accounts.set(address, state);
}

async function listFolder(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (cause) {
    throw invalidGenesis(folder, `cannot be listed (${(cause as NodeJS.ErrnoException).code ?? String(cause)})`, cause);
  }
}

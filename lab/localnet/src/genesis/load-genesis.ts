import { readdir, stat } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { bankLayout } from '@lending/programs';
import { type Address, address, isAddress } from '@solana/kit';
import { z } from 'zod';
import { hasBytesAt } from '#engine/bytes.ts';
import type { AccountState } from '#engine/engine.ts';
import { invalidGenesis, parseJsonFile, readAccountDump, readText } from './account-dump.ts';

/** What a chain starts from. */
export interface Genesis {
  readonly accounts: ReadonlyMap<Address, AccountState>;
  /**
   * Chain time in unix seconds at which the clock stands still, or `null` where the chain's own clock runs. A chain of dumps
   * stands still because their prices and accruals belong to that second.
   */
  readonly clock: bigint | null;
  /** What a person should know about where the accounts come from; empty when there is nothing to say. */
  readonly notes: readonly string[];
}

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

/** Files that lie beside dumps in the fixtures and are none themselves. */
const NOT_A_DUMP = /\.(expected|math)\.json$/;

/**
 * Every account dump (`*.json`) of a folder, not of folders below it. The chain's clock runs.
 * @throws LOCALNET__GENESIS_INVALID naming the file and what is wrong with it, or an address that stands in two files.
 */
async function loadGenesisFolder(folder: string): Promise<Genesis> {
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
function placeAccount(accounts: Map<Address, AccountState>, file: string, address: Address, state: AccountState): void {
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

const manifestSchema = z.strictObject({
  /** What this chain is and what in it does not come from the bank's own second. */
  note: z.string().min(1),
  /** Unix seconds at which the chain's clock stands. */
  clock: z.int().positive(),
  accounts: z
    .array(
      z.strictObject({
        /** A dump, relative to the fixtures folder. */
        file: z.string().min(1).refine(isInside, 'leaves the fixtures folder'),
        /** Where the account stands on this chain, when not at its own address. */
        at: z
          .string()
          .refine(isAddress, 'is not a base58 address')
          .transform((text) => address(text))
          .optional(),
        /** For dumps that do not say. */
        lamports: z.int().positive().optional(),
        note: z.string().min(1).optional(),
      }),
    )
    .min(1),
});

/**
 * A chain made of dumps that a manifest names. Its clock stands at the second of its banks' last accrual.
 * @throws LOCALNET__GENESIS_INVALID naming the file (manifest or dump) and what is wrong with it.
 */
async function loadGenesisManifest(path: string, fixturesDir: string): Promise<Genesis> {
  const manifest = parseJsonFile(path, await readText(path), manifestSchema);
  const accounts = new Map<Address, AccountState>();
  for (const entry of manifest.accounts) {
    const file = join(fixturesDir, entry.file);
    const dump = await readAccountDump(file, {
      ...(entry.at === undefined ? {} : { address: entry.at }),
      ...(entry.lamports === undefined ? {} : { lamports: BigInt(entry.lamports) }),
    });
    placeAccount(accounts, file, dump.address, dump.state);
    assertClockOfBank(path, BigInt(manifest.clock), dump.address, dump.state.data);
  }
  const notes = manifest.accounts.flatMap((entry) => (entry.note === undefined ? [] : [entry.note]));
  return { accounts, clock: BigInt(manifest.clock), notes: [manifest.note, ...notes] };
}

/** At any other second the bank's recorded totals would have to be accrued, and would differ from what the dump says. */
function assertClockOfBank(path: string, clock: bigint, bank: Address, data: Uint8Array): void {
  if (data.length < bankLayout.fixedSize || !hasBytesAt(data, 0, bankLayout.discriminator)) return;
  const { lastUpdate } = bankLayout.decode(data);
  if (lastUpdate !== clock) {
    throw invalidGenesis(path, `clock is ${clock}, but bank ${bank} was last updated at ${lastUpdate}`);
  }
}

function isInside(path: string): boolean {
  return !isAbsolute(path) && !relative('.', path).startsWith('..');
}

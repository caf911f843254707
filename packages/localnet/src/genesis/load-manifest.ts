import { isAbsolute, join, relative } from 'node:path';
import { bankLayout } from '@lending/programs';
import { type Address, address, isAddress } from '@solana/kit';
import { z } from 'zod';
import type { AccountState } from '#engine/engine.ts';
import { invalidGenesis, parseJsonFile, readAccountDump, readText } from './account-dump.ts';
import type { Genesis } from './genesis.ts';
import { placeAccount } from './load-folder.ts';

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
export async function loadGenesisManifest(path: string, fixturesDir: string): Promise<Genesis> {
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
  if (data.length < bankLayout.fixedSize || bankLayout.discriminator.some((byte, index) => data[index] !== byte))
    return;
  const { lastUpdate } = bankLayout.decode(data);
  if (lastUpdate !== clock) {
    throw invalidGenesis(path, `clock is ${clock}, but bank ${bank} was last updated at ${lastUpdate}`);
  }
}

function isInside(path: string): boolean {
  return !isAbsolute(path) && !relative('.', path).startsWith('..');
}

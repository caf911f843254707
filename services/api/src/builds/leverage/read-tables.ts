import { LOOKUP_TABLE_PROGRAM, readLookupTable } from '@lending/programs';
import type { LookupTables } from '@lending/transactions';
import type { Address } from '@solana/kit';
import type { BuildDeps } from '../build-deps.ts';

/** What tables hold, and whether the chain had to be asked. */
export interface ReadTables {
  readonly tables: LookupTables;
  readonly waves: number;
}

/**
 * Contents of lookup tables that somebody else named, as the chain has them: whoever names a table could tell anything of what is in it,
 * and a transaction loads what is. A table that is none is left out, and what it should have held stands in the message itself.
 */
export async function readTables(
  { chain, banks }: Pick<BuildDeps, 'chain' | 'banks'>,
  addresses: readonly Address[],
  signal?: AbortSignal,
): Promise<ReadTables> {
  const unknown = addresses.filter((table) => banks.findTable(table) === undefined);
  if (unknown.length > 0) {
    const batches = await chain.fetchAccounts(unknown, signal === undefined ? {} : { signal });
    for (const { accounts, slot } of batches) {
      for (const account of accounts) {
        if (account?.owner === LOOKUP_TABLE_PROGRAM)
          banks.rememberTable(account.address, readLookupTable(account.data, slot));
      }
    }
  }
  const entries = addresses.map((table) => [table, banks.findTable(table) ?? []] as const);
  return {
    tables: Object.fromEntries(entries.filter(([, contents]) => contents.length > 0)),
    waves: unknown.length > 0 ? 1 : 0,
  };
}

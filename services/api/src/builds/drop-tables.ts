import { LOOKUP_TABLE_PROGRAM, readLookupTable } from '@lending/programs';
import type { LookupTables } from '@lending/transactions';
import type { Address } from '@solana/kit';
import type { BuildDeps } from './build-deps.ts';

/**
 * Reads lookup tables of a transaction whose lookups failed, and remembers them as they are: one that is gone or being closed as an empty
 * one, which no build uses. Where all are as they were used, all are dropped: which of them failed, nodes do not say.
 */
export async function dropFailedTables(
  { chain, banks }: Pick<BuildDeps, 'chain' | 'banks'>,
  used: LookupTables,
  signal?: AbortSignal,
): Promise<void> {
  const tables = Object.keys(used) as Address[];
  const batches = await chain.fetchAccounts(tables, signal === undefined ? {} : { signal });
  const now = new Map(
    batches.flatMap(({ addresses, accounts, slot }) =>
      addresses.map((table, index) => {
        const account = accounts[index];
        const isTable = account?.owner === LOOKUP_TABLE_PROGRAM;
        return [table, isTable ? readLookupTable(account.data, slot) : []] as const;
      }),
    ),
  );
  const isAsUsed = (table: Address) =>
    used[table]?.every((address, index) => now.get(table)?.[index] === address) === true;
  const areAllAsUsed = tables.every(isAsUsed);
  for (const table of tables) banks.rememberTable(table, areAllAsUsed ? [] : (now.get(table) ?? []));
}

import { LOOKUP_TABLE_PROGRAM, readLookupTable } from '@lending/programs';
import type { LookupTables } from '@lending/transactions';
import type { Address } from '@solana/kit';
import type { BuildDeps } from './build-deps.ts';

/** What tables hold, and whether the chain had to be asked. */
export interface ReadTables {
  readonly tables: LookupTables;
  readonly waves: number;
}

/**
 * Contents of lookup tables that others named, as the chain has them: they could claim anything of what is in it,
 * and a transaction loads what is. A table that is none is left out, and what it should have held stands in the message itself.
 */
export async function readTables(
  { chain, banks }: Pick<BuildDeps, 'chain' | 'banks'>,
  addresses: readonly Address[],
  signal?: AbortSignal,
): Promise<ReadTables> {
  const unknown = addresses.filter((table) => banks.findTable(table) === undefined);
  if (unknown.length > 0) {
    const found = await fetchTables(chain, unknown, signal);
    for (const [table, contents] of found) if (contents !== null) banks.rememberTable(table, contents);
  }
  const entries = addresses.map((table) => [table, banks.findTable(table) ?? []] as const);
  return {
    tables: Object.fromEntries(entries.filter(([, contents]) => contents.length > 0)),
    waves: unknown.length > 0 ? 1 : 0,
  };
}

/**
 * Reads lookup tables of a transaction whose lookups failed, remembers them as they are, and returns those to leave out where the same is
 * built again. One that is gone or being closed is remembered as an empty one, which no build uses. Where all are as they were used, the
 * simulation may have run on a node that lags behind: which of them failed, nodes do not say, so that build leaves out all, and no other.
 */
export async function findFailedTables(
  { chain, banks }: Pick<BuildDeps, 'chain' | 'banks'>,
  used: LookupTables,
  signal?: AbortSignal,
): Promise<readonly Address[]> {
  const tables = Object.keys(used) as Address[];
  const now = await fetchTables(chain, tables, signal);
  for (const table of tables) banks.rememberTable(table, now.get(table) ?? []);
  const isAsUsed = (table: Address) =>
    used[table]?.every((address, index) => now.get(table)?.[index] === address) === true;
  return tables.every(isAsUsed) ? tables : [];
}

/** What one build, or several, need, with a memory of banks that has these lookup tables empty. */
export function withoutTables<T extends Pick<BuildDeps, 'banks'>>(deps: T, tables: readonly Address[]): T {
  const { banks } = deps;
  return { ...deps, banks: { ...banks, findTable: (table) => (tables.includes(table) ? [] : banks.findTable(table)) } };
}

/** What tables hold now; null of an account that is no table, or none. */
async function fetchTables(
  chain: BuildDeps['chain'],
  tables: readonly Address[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<Address, readonly Address[] | null>> {
  const batches = await chain.fetchAccounts(tables, signal === undefined ? {} : { signal });
  const entries = batches.flatMap(({ addresses, accounts, slot }) =>
    addresses.map((table, index) => {
      const account = accounts[index];
      const isTable = account?.owner === LOOKUP_TABLE_PROGRAM;
      return [table, isTable ? readLookupTable(account.data, slot) : null] as const;
    }),
  );
  return new Map(entries);
}

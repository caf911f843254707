import type { AccountRow } from '@lending/store';
import type { Cover } from './follows.ts';
import type { ReadDeps } from './read-deps.ts';

/** The lending accounts that an address is, or owns. */
export interface FoundAccounts {
  /** Open ones, by address. */
  readonly accounts: readonly AccountRow[];
  /** The account at the address itself, where it was closed. */
  readonly closed: AccountRow | null;
  readonly cover: Cover;
}

/**
 * Finds accounts by their own address or by their owner's; one that nobody followed is asked for, and waited for a while.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function findAccounts(deps: Pick<ReadDeps, 'store' | 'follows'>, address: string): Promise<FoundAccounts> {
  let rows: readonly AccountRow[] | null = null;
  const cover = await deps.follows.cover(address, 'accounts', async (answer) => {
    rows = await deps.store.readAccountsOf(address);
    const known = new Set(rows.map((row) => row.address));
    return (answer.accounts ?? []).every((account) => known.has(account));
  });
  const found = rows ?? (await deps.store.readAccountsOf(address));
  return {
    accounts: found.filter((row) => !row.is_closed),
    closed: found.find((row) => row.is_closed && row.address === address) ?? null,
    cover,
  };
}

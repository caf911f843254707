import type { Address } from '@solana/kit';

export type IndexScope = 'all' | 'on-demand';

/** Which accounts' states are published: all, or those that somebody asked for by their own address or their authority's. */
export interface FollowedAccounts {
  readonly scope: IndexScope;
  /** From here on the address is asked for, whatever it turns out to be. */
  follow(asked: Address): void;
  /** @returns the accounts that nobody asks for any more. */
  unfollow(asked: Address): readonly Address[];
  /** The accounts that an address turned out to be, or to own. */
  found(asked: Address, accounts: readonly Address[]): void;
  isAsked(address: Address): boolean;
  /**
   * Whether states of the account are published. An account of a followed authority that was not known yet is from here on, and
   * whoever follows is told.
   */
  isWanted(account: Address, authority: Address | null): boolean;
  /** Every account found for an address that is followed. */
  accounts(): readonly Address[];
}

export function createFollowedAccounts(
  scope: IndexScope,
  onNewAccount: (asked: Address, account: Address) => void,
): FollowedAccounts {
  const accountsOf = new Map<Address, Set<Address>>();
  /** How many of those addresses each account was found for. */
  const owners = new Map<Address, number>();

  function add(asked: Address, account: Address): boolean {
    const accounts = accountsOf.get(asked);
    if (accounts === undefined || accounts.has(account)) return false;
    accounts.add(account);
    owners.set(account, (owners.get(account) ?? 0) + 1);
    return true;
  }

  return {
    scope,
    follow(asked) {
      if (!accountsOf.has(asked)) accountsOf.set(asked, new Set());
    },
    unfollow(asked) {
      const accounts = [...(accountsOf.get(asked) ?? [])];
      accountsOf.delete(asked);
      return accounts.filter((account) => {
        const left = (owners.get(account) ?? 1) - 1;
        if (left > 0) owners.set(account, left);
        else owners.delete(account);
        return left <= 0;
      });
    },
    found(asked, accounts) {
      for (const account of accounts) add(asked, account);
    },
    isAsked: (address) => accountsOf.has(address),
    isWanted(account, authority) {
      if (authority !== null && add(authority, account)) onNewAccount(authority, account);
      return scope === 'all' || owners.has(account) || accountsOf.has(account);
    },
    accounts: () => [...owners.keys()],
  };
}

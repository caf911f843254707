import type { Address } from '@solana/kit';
import type { LendingActionKind } from '#action.ts';

/** What is to be read: whose action it is at which bank, and hints at what it will take. Hints save waves and decide nothing. */
export interface ReadQuestion {
  readonly program: Address;
  readonly group: Address;
  readonly authority: Address;
  /** The lending account that was asked for; null takes the only one there is. */
  readonly account: Address | null;
  /** Lending accounts that the wallet is known to own. Those that the service would have created are looked at anyway. */
  readonly knownAccounts: readonly Address[];
  /** Banks in which the account is known to hold balances. */
  readonly heldBanks: readonly Address[];
  /** Null: an account is to be created, and nothing else. */
  readonly action: { readonly kind: LendingActionKind; readonly bank: Address } | null;
  readonly lookupTables: readonly Address[];
  /** What an earlier build of the same plan derived its new account from; null: the lowest free index. */
  readonly accountIndex: number | null;
}

import type { RelaxedRules } from '@lending/domain';
import type { ProgramVersion } from '@lending/programs';
import type { Address } from '@solana/kit';
import type { LendingActionKind } from '#action.ts';

/** What is to be read: whose action it is at which bank, and hints at what it will take. Hints save waves and decide nothing. */
export interface ReadQuestion {
  readonly program: Address;
  /** Of the program that runs. */
  readonly version: ProgramVersion;
  /** In what that program was seen to be less strict than is assumed. */
  readonly relaxed: RelaxedRules;
  readonly group: Address;
  readonly authority: Address;
  /** The lending account that was asked for; null takes the only one there is. */
  readonly account: Address | null;
  /** Lending accounts that the wallet is known to own. Those that the service would have created are looked at anyway. */
  readonly knownAccounts: readonly Address[];
  /** Banks in which the account is known to hold balances. */
  readonly heldBanks: readonly Address[];
  /** Banks that are acted on: none where an account is all that is wanted. */
  readonly banks: readonly Address[];
  /** Whether an account is created: one of its own, one where the wallet has none, or none. */
  readonly opens: 'always' | 'where_missing' | 'never';
  readonly lookupTables: readonly Address[];
  /** What an earlier build of the same plan derived its new account from; null: the lowest free index. */
  readonly accountIndex: number | null;
}

/** What a single action asks for; null creates an account, and nothing else. */
export function askFor(
  action: { readonly kind: LendingActionKind; readonly bank: Address } | null,
): Pick<ReadQuestion, 'banks' | 'opens'> {
  if (action === null) return { banks: [], opens: 'always' };
  return { banks: [action.bank], opens: action.kind === 'deposit' ? 'where_missing' : 'never' };
}

import { SYSTEM_PROGRAM, tokenAccountLayout } from '@lending/programs';
import type { SimulatedAccount } from '@lending/transactions';
import { type AccountBytes, readHolding } from '@lending/venues';
import type { Address } from '@solana/kit';

/** Who may do what with a token account; a mint's owner aside, that is all there is to lose. */
interface TokenRights {
  readonly owner: Address;
  readonly delegate: string;
  readonly closeAuthority: string;
}

/** Whether a token account of the wallet is in other hands afterwards, or somebody new may spend from it or close it. */
export function hasLostRights(before: AccountBytes | null, after: AccountBytes | null, authority: Address): boolean {
  const now = after === null ? null : rightsOf(after);
  if (now === null) return false;
  // What is created is the wallet's own, and nobody else's.
  const then = (before === null ? null : rightsOf(before)) ?? { owner: authority, delegate: '', closeAuthority: '' };
  return (
    now.owner !== then.owner ||
    (now.delegate !== '' && now.delegate !== then.delegate) ||
    now.closeAuthority !== then.closeAuthority
  );
}

/** Whether the wallet's own account is anything but a plain one afterwards. */
export function isWalletTaken(after: SimulatedAccount | null | undefined): boolean {
  return after !== null && after !== undefined && (after.owner !== SYSTEM_PROGRAM || after.data.length > 0);
}

function rightsOf(account: AccountBytes): TokenRights | null {
  if (readHolding(account) === null) return null;
  const { owner, delegate, delegatedAmount, closeAuthority } = tokenAccountLayout.decode(
    account.data.subarray(0, tokenAccountLayout.fixedSize),
  );
  return {
    owner,
    delegate: delegate.isSome ? `${delegate.value} ${delegatedAmount}` : '',
    closeAuthority: closeAuthority.isSome ? closeAuthority.value : '',
  };
}

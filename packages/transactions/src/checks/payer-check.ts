import { LendingError } from '@lending/errors';
import { SYSTEM_PROGRAM } from '@lending/programs';
import { type Address, isOffCurveAddress } from '@solana/kit';
import { BoundedCache } from '#bounded-cache.ts';
import type { ActionState } from '#live/action-state.ts';

/** Where an address lies on the curve takes a third of a millisecond to tell, and never changes. */
const derived = new BoundedCache<boolean>(10_000);

function isDerived(address: Address): boolean {
  const known = derived.get(address);
  if (known !== undefined) return known;
  const found = isOffCurveAddress(address);
  derived.set(address, found);
  return found;
}

/**
 * Why nobody can sign and pay as the wallet, whatever it holds: no key belongs to an address that a program derived, which no simulation
 * notices, and the runtime takes no fees from accounts of programs.
 */
export function findPayerRefusal({
  authority,
  accounts,
}: Pick<ActionState, 'accounts' | 'authority'>): LendingError | null {
  if (isDerived(authority)) return cannotPay('is derived from a program, and no key signs for it');
  const account = accounts.get(authority);
  const isWallet = !account || account.owner === SYSTEM_PROGRAM;
  return isWallet ? null : cannotPay('is no wallet but an account of a program, which pays no fees');
}

function cannotPay(why: string): LendingError {
  return new LendingError('TOOL__INPUT_INVALID', {
    message: `The address given as authority ${why} — allowed: the address of a wallet, which signs and pays — correct authority and make the same call again`,
    context: { field: 'authority' },
  });
}

import { areBytesEqual } from '#engine/bytes.ts';
import { type AccountState, hasFlag } from '../state/account-state.ts';
import type { GroupState } from '../state/group-state.ts';

/** Who but the owner may act on an account that somebody holds: nobody, a liquidator in receivership, or whoever executes an order too. */
export type AllowedHolder = boolean | 'inReceivership';

/**
 * Whether a signer may act on an account: its authority, or the group's admin when it is frozen. Somebody else holds an account that is
 * liquidated in receivership or whose order is executed; its owner is not one of them.
 * @see marginfi-v2 programs/marginfi/src/state/marginfi_account.rs `is_signer_authorized`
 */
export function isSignerAuthorized(
  account: AccountState,
  group: GroupState,
  signer: Uint8Array,
  { allowsHolder }: { readonly allowsHolder: AllowedHolder },
): boolean {
  // Any signer: between the start and the end of a rebalance there are only withdrawals and deposits, which the end checks.
  if (hasFlag(account, 'inRebalance')) return true;
  const isOwner = areBytesEqual(account.authority, signer);
  if (allowsHolder !== false && hasFlag(account, 'inReceivership')) return !isOwner;
  if (allowsHolder === true && hasFlag(account, 'inOrderExecution')) return true;
  return hasFlag(account, 'frozen') ? areBytesEqual(group.admin, signer) : isOwner;
}

/** Apart from the above, so that the owner of a frozen account learns why. */
export function isNotFrozenFor(account: AccountState, signer: Uint8Array): boolean {
  return !(hasFlag(account, 'frozen') && areBytesEqual(account.authority, signer));
}

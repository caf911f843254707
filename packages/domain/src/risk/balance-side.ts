import { EMPTY_BALANCE_SHARES } from '../accounting/thresholds.ts';
import type { I80F48 } from '../i80f48.ts';

export type BalanceSide = 'asset' | 'liability';

interface Shares {
  readonly assetShares: I80F48;
  readonly liabilityShares: I80F48;
}

/** Whether the balance counts as a debt, for emode and the isolated tier too. */
export function hasLiability(balance: Shares): boolean {
  return balance.liabilityShares >= EMPTY_BALANCE_SHARES;
}

/**
 * The side a balance is on; null when only dust is left, which is neither collateral nor debt. A balance with both sides, on which
 * the program panics, is a liability here: ask `hasBothSides` first where that matters.
 * @see marginfi-v2 type-crate/src/types/user_account.rs `get_side`
 */
export function sideOf(balance: Shares): BalanceSide | null {
  if (hasLiability(balance)) return 'liability';
  return balance.assetShares >= EMPTY_BALANCE_SHARES ? 'asset' : null;
}

/** Something no instruction can bring about; the program stops dead on it. */
export function hasBothSides(balance: Shares): boolean {
  return hasLiability(balance) && balance.assetShares >= EMPTY_BALANCE_SHARES;
}

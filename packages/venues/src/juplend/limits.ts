import { smallerOf } from '@lending/domain';
import type { JuplendTokenReserve, JuplendUserSupplyPosition } from '@lending/programs';
import type { ReserveLimits } from '../reserve.ts';
import { BASIS_ONE, type JuplendPrices, juplendTotals, PRICE_ONE } from './accrual.ts';
import { divide, u128 } from './checked.ts';

/**
 * What a protocol's supply may not fall below at `unixTimestamp`, in the position's own units: the stored limit, lower the more time
 * has passed, yet never by more than the expand percentage. Zero lets everything out.
 * The newer program's `decayAmount` lets more out after a large deposit; its arithmetic is unpublished, so it is left out.
 * @throws DECODE__VALUE_OUT_OF_RANGE where the program fails.
 * @see fluid-solana-programs programs/liquidity/src/state/user_supply_position.rs `calc_withdrawal_limit_before_operate`
 */
export function juplendWithdrawalLimit(position: JuplendUserSupplyPosition, unixTimestamp: bigint): bigint {
  const { amount, withdrawalLimit } = position;
  if (withdrawalLimit === 0n) return 0n;
  const most = expandable(position, amount);
  const seconds = u128(unixTimestamp - position.lastUpdate);
  const expanded = divide(most * seconds, BigInt(position.expandDuration));
  const lowered = withdrawalLimit > expanded ? withdrawalLimit - expanded : 0n;
  const least = u128(amount - most);
  return lowered > least ? lowered : least;
}

/** The limit to store once the supply is `amount`, from the one before. @see `calc_withdrawal_limit_after_operate` */
export function juplendWithdrawalLimitAfter(
  position: JuplendUserSupplyPosition,
  amount: bigint,
  limitBefore: bigint,
): bigint {
  if (amount < position.baseWithdrawalLimit) return 0n;
  const least = u128(amount - expandable(position, amount));
  return least > limitBefore ? least : limitBefore;
}

/** Tokens in the vault that nobody has a claim on. */
export function juplendAvailable({ totalClaimAmount }: JuplendTokenReserve, vaultAmount: bigint): bigint {
  return vaultAmount > totalClaimAmount ? vaultAmount - totalClaimAmount : 0n;
}

/**
 * Room of an Earn pool. Nothing caps deposits. Borrowing is capped for each vault apart; what is told here is the cap of the mint,
 * its highest utilisation.
 * @param isLocked nothing moves while the liquidity layer, or the pool's position in it, stands still.
 */
export function limitsOf(
  { reserve, position, prices, availableBase }: JuplendHoldings,
  isLocked: boolean,
  unixTimestamp: bigint,
): ReserveLimits {
  const { supply, borrow } = juplendTotals(reserve, prices);
  const borrowLimitBase = (supply * BigInt(reserve.maxUtilization)) / BASIS_ONE;
  const borrowRoom = smallerOf(borrowLimitBase - borrow, availableBase);
  const withdrawable = position === null ? 0n : juplendWithdrawable(position, prices, unixTimestamp);
  return {
    depositLimitBase: null,
    depositRoomBase: isLocked ? 0n : null,
    borrowLimitBase,
    borrowRoomBase: isLocked || borrowRoom < 0n ? 0n : borrowRoom,
    withdrawRoomBase: isLocked ? 0n : smallerOf(withdrawable, availableBase),
  };
}

export interface JuplendHoldings {
  readonly reserve: JuplendTokenReserve;
  /** Null where the pool never supplied. */
  readonly position: JuplendUserSupplyPosition | null;
  readonly prices: JuplendPrices;
  readonly availableBase: bigint;
}

/** Base units between a position and its limit. */
function juplendWithdrawable(
  position: JuplendUserSupplyPosition,
  prices: JuplendPrices,
  unixTimestamp: bigint,
): bigint {
  const room = position.amount - juplendWithdrawalLimit(position, unixTimestamp);
  if (room <= 0n) return 0n;
  return position.withInterest === 1 ? (room * prices.supply) / PRICE_ONE : room;
}

function expandable({ expandPct }: JuplendUserSupplyPosition, amount: bigint): bigint {
  return (amount * BigInt(expandPct)) / BASIS_ONE;
}

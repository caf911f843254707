import type { JuplendUserBorrowPosition } from '@lending/programs';
import type { JuplendPrices } from '@lending/venues';
import { isU64 } from '#engine/bytes.ts';
import { fail } from '../juplend-error.ts';
import type { Moved } from './supply-position.ts';

const PRICE_ONE = 10n ** 12n;
const BASIS_ONE = 10_000n;
const ACTIVE = 0;

/**
 * Borrows (positive) or pays back.
 * @see fluid-solana-programs programs/liquidity/src/state/user_borrow_position.rs `borrow_or_payback`
 */
export function moveBorrow(
  position: JuplendUserBorrowPosition,
  amount: bigint,
  { borrow: price }: JuplendPrices,
  unixTimestamp: bigint,
): Moved<JuplendUserBorrowPosition> {
  if (position.status !== ACTIVE) fail('UserPaused');
  const ceiling = ceilingBefore(position, unixTimestamp);
  const moved = position.withInterest === 1 ? toRaw(amount, price) : amount;
  const after = position.amount + moved;
  if (after < 0n) fail('LibraryMathError');
  if (moved === 0n) fail('OperateAmountsInsufficient');
  if (amount > 0n && after > ceiling) fail('BorrowLimitReached');
  const debtCeiling = ceilingAfter(position, after, ceiling);
  if (!isU64(after) || !isU64(debtCeiling)) fail('LibraryCastingFailure');
  return {
    position: { ...position, amount: after, debtCeiling, lastUpdate: unixTimestamp },
    raw: position.withInterest === 1 ? moved : 0n,
    interestFree: position.withInterest === 1 ? 0n : moved,
  };
}

/** How much may be owed at this moment: the stored ceiling, wider the more time has passed, yet not by more than the percentage. */
function ceilingBefore(position: JuplendUserBorrowPosition, unixTimestamp: bigint): bigint {
  const { amount, baseDebtCeiling, maxDebtCeiling, debtCeiling } = position;
  const expansion = (amount * BigInt(position.expandPct)) / BASIS_ONE;
  const widest = amount + expansion;
  if (widest < baseDebtCeiling) return baseDebtCeiling;
  const seconds = unixTimestamp - position.lastUpdate;
  if (seconds < 0n) fail('LibraryCastingFailure');
  if (position.expandDuration === 0) fail('LibraryMathError');
  const expanded = (expansion * seconds) / BigInt(position.expandDuration) + debtCeiling;
  return smaller(smaller(expanded, widest), maxDebtCeiling);
}

function ceilingAfter(position: JuplendUserBorrowPosition, amount: bigint, ceiling: bigint): bigint {
  const { baseDebtCeiling, maxDebtCeiling } = position;
  const widest = amount + (amount * BigInt(position.expandPct)) / BASIS_ONE;
  if (widest < baseDebtCeiling) return baseDebtCeiling;
  return smaller(smaller(ceiling, widest), maxDebtCeiling);
}

function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

/** A borrow is rounded up, a payback down. */
function toRaw(amount: bigint, price: bigint): bigint {
  return amount > 0n ? (amount * PRICE_ONE + price - 1n) / price : (amount * PRICE_ONE) / price;
}

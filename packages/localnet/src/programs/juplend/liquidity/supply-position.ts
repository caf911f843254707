import type { JuplendUserSupplyPosition } from '@lending/programs';
import { type JuplendPrices, juplendWithdrawalLimit, juplendWithdrawalLimitAfter } from '@lending/venues';
import { isU64 } from '#engine/bytes.ts';
import { fail } from '../juplend-error.ts';

const PRICE_ONE = 10n ** 12n;
const ACTIVE = 0;

/** A position after a movement, and what the movement adds to the totals of its mint: raw, or as it is where nothing is earned. */
export interface Moved<TPosition> {
  readonly position: TPosition;
  readonly raw: bigint;
  readonly interestFree: bigint;
}

/**
 * Supplies (positive) or withdraws.
 * @see fluid-solana-programs programs/liquidity/src/state/user_supply_position.rs `supply_or_withdraw`
 */
export function moveSupply(
  position: JuplendUserSupplyPosition,
  amount: bigint,
  { supply: price }: JuplendPrices,
  unixTimestamp: bigint,
): Moved<JuplendUserSupplyPosition> {
  if (position.status !== ACTIVE) fail('UserPaused');
  const limitBefore = juplendWithdrawalLimit(position, unixTimestamp);
  const moved = position.withInterest === 1 ? toRaw(amount, price) : amount;
  if (moved === 0n) fail('OperateAmountsInsufficient');
  const after = position.amount + moved;
  if (after < 0n) fail('LibraryMathError');
  if (amount < 0n && after < limitBefore) fail('WithdrawalLimitReached');
  const withdrawalLimit = juplendWithdrawalLimitAfter(position, after, limitBefore);
  if (!isU64(after)) fail('LibraryCastingFailure');
  if (!isU64(withdrawalLimit)) fail('ValueOverflow');
  return {
    position: { ...position, amount: after, withdrawalLimit, lastUpdate: unixTimestamp },
    raw: position.withInterest === 1 ? moved : 0n,
    interestFree: position.withInterest === 1 ? 0n : moved,
  };
}

/** A deposit is rounded down, a withdrawal up. */
function toRaw(amount: bigint, price: bigint): bigint {
  return amount > 0n ? (amount * PRICE_ONE) / price : -((-amount * PRICE_ONE + price - 1n) / price);
}

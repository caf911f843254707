import type { JuplendUserSupplyPosition } from '@lending/programs';
import { type JuplendPrices, juplendWithdrawalLimit, juplendWithdrawalLimitAfter } from '@lending/venues';
import { isU64 } from '#engine/bytes.ts';
import { fail, notModelled } from '../juplend-error.ts';

const PRICE_ONE = 10n ** 12n;
const ACTIVE = 0;

/**
 * Supplies (positive) or withdraws.
 * @returns the position after it, and what that adds to the total of its mint.
 * @see fluid-solana-programs programs/liquidity/src/state/user_supply_position.rs `supply_or_withdraw`
 */
export function moveSupply(
  position: JuplendUserSupplyPosition,
  amount: bigint,
  { supply: price }: JuplendPrices,
  unixTimestamp: bigint,
): { readonly position: JuplendUserSupplyPosition; readonly raw: bigint } {
  if (position.status !== ACTIVE) fail('UserPaused');
  if (position.withInterest !== 1) notModelled('supply without interest');
  const limitBefore = juplendWithdrawalLimit(position, unixTimestamp);
  const raw = toRaw(amount, price);
  if (raw === 0n) fail('OperateAmountsInsufficient');
  const after = position.amount + raw;
  if (after < 0n) fail('LibraryMathError');
  if (amount < 0n && after < limitBefore) fail('WithdrawalLimitReached');
  const withdrawalLimit = juplendWithdrawalLimitAfter(position, after, limitBefore);
  if (!isU64(after)) fail('LibraryCastingFailure');
  if (!isU64(withdrawalLimit)) fail('ValueOverflow');
  return { position: { ...position, amount: after, withdrawalLimit, lastUpdate: unixTimestamp }, raw };
}

/** A deposit is rounded down, a withdrawal up. */
function toRaw(amount: bigint, price: bigint): bigint {
  return amount > 0n ? (amount * PRICE_ONE) / price : -((-amount * PRICE_ONE + price - 1n) / price);
}

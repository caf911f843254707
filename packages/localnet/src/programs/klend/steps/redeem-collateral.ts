import type { KlendReserve } from '@lending/programs';
import { kaminoCTokenRate, kaminoFreelyAvailable, kaminoLiquidityOfCTokens } from '@lending/venues';
import { isU64 } from '#engine/bytes.ts';
import type { InvokeContext } from '#engine/program.ts';
import { check, panic } from '../klend-error.ts';
import type { ReserveFlow } from './deposit-liquidity.ts';
import { isStale, markStale } from './last-update.ts';
import { noteLimitsCrossed } from './refresh-reserve.ts';
import { countFlow } from './withdrawal-cap.ts';

/**
 * Books a redemption: what the cTokens are worth, rounded down, out of what nobody in the queue waits for.
 * @throws AnchorError InvalidAmount, ReserveStale, InsufficientLiquidity, MathOverflow and those of the window
 * @see klend programs/klend/src/lending_market/lending_operations.rs `redeem_reserve_collateral`
 */
export function redeemCollateral(context: InvokeContext, reserve: KlendReserve, cTokens: bigint): ReserveFlow {
  check(cTokens !== 0n, 'InvalidAmount');
  check(!isStale(reserve.lastUpdate, context.slot), 'ReserveStale');
  const liquidity = kaminoLiquidityOfCTokens(kaminoCTokenRate(reserve), cTokens);
  if (!isU64(liquidity)) panic(context, 'more than a token account holds');
  check(liquidity <= kaminoFreelyAvailable(reserve), 'InsufficientLiquidity');
  check(cTokens <= reserve.collateral.mintTotalSupply, 'MathOverflow');
  const burnt = {
    ...reserve,
    liquidity: { ...reserve.liquidity, totalAvailableAmount: reserve.liquidity.totalAvailableAmount - liquidity },
    collateral: { ...reserve.collateral, mintTotalSupply: reserve.collateral.mintTotalSupply - cTokens },
  };
  const booked = markStale(noteLimitsCrossed(burnt, context.slot.unixTimestamp));
  const depositWithdrawalCap = countFlow(context, booked.config.depositWithdrawalCap, liquidity);
  return { reserve: { ...booked, config: { ...booked.config, depositWithdrawalCap } }, liquidity, cTokens };
}

import type { KlendReserve } from '@lending/programs';
import {
  kaminoCTokenRate,
  kaminoCTokensOfLiquidity,
  kaminoLiquidityForCTokens,
  kaminoTotalSupplySf,
  toSf,
} from '@lending/venues';
import { isU64 } from '#engine/bytes.ts';
import type { InvokeContext } from '#engine/program.ts';
import { check, panic } from '../klend-error.ts';
import { isStale, markStale } from './last-update.ts';
import { countFlow } from './withdrawal-cap.ts';

/** What an instruction did to a reserve, and the amounts that move. */
export interface ReserveFlow {
  readonly reserve: KlendReserve;
  readonly liquidity: bigint;
  readonly cTokens: bigint;
}

/**
 * Books a deposit: whole cTokens for as much of the amount as they cost.
 * @throws AnchorError InvalidAmount, ReserveStale, DepositLimitExceeded and those of the window
 * @see klend programs/klend/src/lending_market/lending_operations.rs `deposit_reserve_liquidity`
 */
export function depositLiquidity(context: InvokeContext, reserve: KlendReserve, amount: bigint): ReserveFlow {
  check(amount !== 0n, 'InvalidAmount');
  check(!isStale(reserve.lastUpdate, context.slot), 'ReserveStale');
  const rate = kaminoCTokenRate(reserve);
  const cTokens = kaminoCTokensOfLiquidity(rate, amount);
  const liquidity = kaminoLiquidityForCTokens(rate, cTokens);
  if (!isU64(cTokens) || !isU64(liquidity)) panic(context, 'more than a token account holds');
  const { config } = reserve;
  check(toSf(liquidity) + kaminoTotalSupplySf(reserve) <= toSf(config.depositLimit), 'DepositLimitExceeded');
  const depositWithdrawalCap = countFlow(context, config.depositWithdrawalCap, -liquidity);
  const booked = {
    ...reserve,
    config: { ...config, depositWithdrawalCap },
    liquidity: { ...reserve.liquidity, totalAvailableAmount: reserve.liquidity.totalAvailableAmount + liquidity },
    collateral: { ...reserve.collateral, mintTotalSupply: reserve.collateral.mintTotalSupply + cTokens },
  };
  return { reserve: markStale(booked), liquidity, cTokens };
}

import type { KlendReserve } from '@lending/programs';
import {
  type KaminoWithdrawalCap,
  kaminoCapRoom,
  kaminoCTokenRate,
  kaminoCTokensOfLiquidity,
  kaminoFreelyAvailable,
  kaminoLiquidityForCTokens,
  kaminoLiquidityOfCTokens,
  kaminoTotalSupplySf,
  toSf,
} from '@lending/venues';
import { isU64 } from '#engine/bytes.ts';
import type { InvokeContext } from '#engine/program.ts';
import { check, fail, panic } from '../klend-error.ts';
import { isStale, markStale } from './last-update.ts';
import { noteLimitsCrossed } from './refresh-reserve.ts';

const I64_MAX = (1n << 63n) - 1n;
const I64_MIN = -(1n << 63n);

/**
 * Counts what flows out against a window's capacity; a negative amount flows in and is always let through. A window that is over begins
 * anew first. Without a window the flow is counted all the same, as far as the counter goes.
 * @throws AnchorError WithdrawalCapReached, LastTimestampGreaterThanCurrent, MathOverflow
 * @see klend programs/klend/src/lending_market/withdrawal_cap_operations.rs
 */
function countFlow(context: InvokeContext, cap: KaminoWithdrawalCap, outflow: bigint): KaminoWithdrawalCap {
  const size = outflow < 0n ? -outflow : outflow;
  if (cap.configIntervalLengthSeconds === 0n) {
    check(size <= I64_MAX, 'MathOverflow');
    const total = cap.currentTotal + outflow;
    return { ...cap, currentTotal: total > I64_MAX ? I64_MAX : total < I64_MIN ? I64_MIN : total };
  }
  const current = beginAnew(cap, context.slot.unixTimestamp);
  if (outflow > kaminoCapRoom(current, context.slot.unixTimestamp)) fail('WithdrawalCapReached');
  const total = current.currentTotal + outflow;
  if (size > I64_MAX || total > I64_MAX || total < I64_MIN) panic(context, 'the counter overflows');
  return { ...current, currentTotal: total };
}

function beginAnew(cap: KaminoWithdrawalCap, now: bigint): KaminoWithdrawalCap {
  check(cap.lastIntervalStartTimestamp <= now, 'LastTimestampGreaterThanCurrent');
  const isOver = cap.configIntervalLengthSeconds <= now - cap.lastIntervalStartTimestamp;
  return isOver ? { ...cap, currentTotal: 0n, lastIntervalStartTimestamp: now } : cap;
}

/** What an instruction did to a reserve, and the amounts that move. */
interface ReserveFlow {
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

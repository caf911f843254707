import { largerOf, smallerOf, U64_MAX } from '@lending/domain';
import type { KlendReserve } from '@lending/programs';
import type { Permissions } from '../judge-status.ts';
import type { ReserveLimits, ReserveSizes } from '../reserve.ts';
import { cTokenRateOf, liquidityOfCTokens, totalSupplySf } from './exchange-rate.ts';
import { floorSf, fromPercent, multiplySf, toSf } from './scaled-fraction.ts';

/** What klend writes where there is no limit. */
const NO_LIMIT = U64_MAX;

export type WithdrawalCap = KlendReserve['config']['depositWithdrawalCap'];

export function sizesOf(reserve: KlendReserve): ReserveSizes {
  return {
    depositsBase: floorSf(totalSupplySf(reserve)),
    borrowsBase: floorSf(reserve.liquidity.borrowedAmountSf),
    availableBase: freelyAvailable(reserve),
  };
}

/** What is there and not spoken for by the queue of withdrawals. */
export function freelyAvailable(reserve: KlendReserve): bigint {
  const queued = liquidityOfCTokens(cTokenRateOf(reserve), reserve.withdrawQueue.queuedCollateralAmount);
  return atLeastZero(reserve.liquidity.totalAvailableAmount - queued);
}

/**
 * What still fits. Borrowers' room is that of somebody outside elevation groups: within a group it depends on their collateral.
 * @see klend programs/klend/src/state/reserve.rs `borrowable_liquidity_amount`
 */
export function limitsOf(
  reserve: KlendReserve,
  { mayDeposit, mayBorrow, mayWithdraw }: Permissions,
  unixTimestamp: bigint,
): ReserveLimits {
  const { config } = reserve;
  const depositLimit = limitOf(config.depositLimit);
  const room = depositLimit === null ? null : floorSf(atLeastZero(toSf(depositLimit) - totalSupplySf(reserve)));
  const withdrawable = smallerOf(freelyAvailable(reserve), capRoom(config.depositWithdrawalCap, unixTimestamp));
  return {
    depositLimitBase: depositLimit,
    depositRoomBase: mayDeposit ? room : 0n,
    borrowLimitBase: limitOf(config.borrowLimit),
    borrowRoomBase: mayBorrow ? borrowRoom(reserve, unixTimestamp) : 0n,
    withdrawRoomBase: mayWithdraw ? withdrawable : 0n,
  };
}

/** What a window of net outflow still lets through; without a window, anything. */
export function capRoom(cap: WithdrawalCap, unixTimestamp: bigint): bigint {
  if (cap.configIntervalLengthSeconds === 0n) return NO_LIMIT;
  if (cap.configCapacity < 0n) return 0n;
  const isOver = atLeastZero(unixTimestamp - cap.lastIntervalStartTimestamp) >= cap.configIntervalLengthSeconds;
  return atLeastZero(cap.configCapacity - (isOver ? 0n : cap.currentTotal));
}

function borrowRoom(reserve: KlendReserve, unixTimestamp: bigint): bigint {
  const { config, liquidity, borrowedAmountOutsideElevationGroup } = reserve;
  const borrowed = liquidity.borrowedAmountSf;
  return least(
    freelyAvailable(reserve),
    floorSf(atLeastZero(toSf(config.borrowLimit) - borrowed)),
    atLeastZero(config.borrowLimitOutsideElevationGroup - borrowedAmountOutsideElevationGroup),
    utilizationRoom(reserve),
    capRoom(config.debtWithdrawalCap, unixTimestamp),
  );
}

/** One unit of the last place is left, so that the limit itself is not reached. */
function utilizationRoom(reserve: KlendReserve): bigint {
  const percent = reserve.config.utilizationLimitBlockBorrowingAbovePct;
  if (percent === 0) return floorSf(totalSupplySf(reserve));
  const most = multiplySf(totalSupplySf(reserve), fromPercent(percent));
  return floorSf(atLeastZero(most - reserve.liquidity.borrowedAmountSf - 1n));
}

function limitOf(limit: bigint): bigint | null {
  return limit === NO_LIMIT ? null : limit;
}

function least(...values: readonly bigint[]): bigint {
  return values.reduce(smallerOf);
}

function atLeastZero(value: bigint): bigint {
  return largerOf(value, 0n);
}

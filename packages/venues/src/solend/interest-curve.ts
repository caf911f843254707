import type { SolendReserve } from '@lending/programs';
import { totalSupplyWads } from './exchange-rate.ts';
import {
  addWads,
  divideRates,
  divideWads,
  multiplyRates,
  multiplyWads,
  subtractWads,
  toRate,
  WAD,
  wadsOfPercent,
} from './wads.ts';

/** Borrowed ÷ (borrowed + available), as the curve sees it: fees owed to the protocol count as supply here, and nowhere else. */
export function utilizationOf(reserve: SolendReserve): bigint {
  const { availableAmount, borrowedAmountWads } = reserve.liquidity;
  if (totalSupplyWads(reserve) === 0n || borrowedAmountWads === 0n) return 0n;
  return toRate(divideWads(borrowedAmountWads, addWads(borrowedAmountWads, availableAmount * WAD)));
}

/**
 * The nominal rate a year that borrowers are charged: three slopes, from the least to the optimal rate, on to the greatest, and
 * past the greatest utilisation to the one beyond it.
 * @see solana-program-library (Solend's) token-lending/sdk/src/state/reserve.rs `current_borrow_rate`
 */
export function borrowRateOf(reserve: SolendReserve): bigint {
  const { config } = reserve;
  const utilization = utilizationOf(reserve);
  const optimal = wadsOfPercent(config.optimalUtilizationRate);
  const greatest = wadsOfPercent(reserve.maxUtilizationRate);
  const [least, middle, most] = [config.minBorrowRate, config.optimalBorrowRate, config.maxBorrowRate].map(
    wadsOfPercent,
  ) as [bigint, bigint, bigint];
  if (utilization <= optimal) {
    if (optimal === 0n) return least;
    return multiplyRates(divideRates(utilization, optimal), subtractWads(middle, least)) + least;
  }
  if (utilization <= greatest) {
    const share = divideRates(utilization - optimal, greatest - optimal);
    return multiplyRates(share, subtractWads(most, middle)) + middle;
  }
  const share = divideRates(utilization - greatest, WAD - greatest);
  const range = subtractWads(wadsOfPercent(reserve.superMaxBorrowRate), most);
  return toRate(addWads(multiplyWads(share, range), most));
}

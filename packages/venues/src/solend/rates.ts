import type { FractionE18 } from '@lending/domain';
import type { SolendReserve } from '@lending/programs';
import type { ReserveRates } from '../reserve.ts';
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

/** What the program takes a slot for, microseconds: its year has two slots a second. */
const NOMINAL_SLOT_MICROS = 500_000n;

/**
 * What a reserve's rates are on the wall clock. The program charges by the slot as if a slot took half a second: on a faster chain
 * more is paid in a year than the nominal rate says.
 * @param slotMicros measured length of a slot, microseconds.
 */
export function readRates(reserve: SolendReserve, slotMicros: bigint): ReserveRates {
  const utilization = computeUtilization(reserve);
  const borrowRate = computeBorrowRate(reserve);
  const kept = WAD - wadsOfPercent(reserve.config.protocolTakeRate);
  const toWallClock = (scaled: bigint, scale: bigint): FractionE18 =>
    (scaled * NOMINAL_SLOT_MICROS) / (scale * slotMicros);
  return {
    depositApr: toWallClock(utilization * borrowRate * kept, WAD * WAD),
    borrowApr: toWallClock(borrowRate, 1n),
    poolRewardApr: 0n,
    utilization,
    slotMicros,
  };
}

/** Borrowed ÷ (borrowed + available), as the curve sees it: fees owed to the protocol count as supply here, and nowhere else. */
export function computeUtilization(reserve: SolendReserve): bigint {
  const { availableAmount, borrowedAmountWads } = reserve.liquidity;
  if (totalSupplyWads(reserve) === 0n || borrowedAmountWads === 0n) return 0n;
  return toRate(divideWads(borrowedAmountWads, addWads(borrowedAmountWads, availableAmount * WAD)));
}

/**
 * The nominal rate a year that borrowers are charged: three slopes, from the least to the optimal rate, on to the greatest, and
 * past the greatest utilisation to the one beyond it.
 * @see solana-program-library (Solend's) token-lending/sdk/src/state/reserve.rs `current_borrow_rate`
 */
export function computeBorrowRate(reserve: SolendReserve): bigint {
  const { config } = reserve;
  const utilization = computeUtilization(reserve);
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

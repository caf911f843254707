import type { FractionE18 } from '@lending/domain';
import type { SolendReserve } from '@lending/programs';
import type { ReserveRates } from '../reserve.ts';
import { ASSUMED_SLOT_MICROS } from '../venue-adapter.ts';
import { borrowRateOf, utilizationOf } from './interest-curve.ts';
import { WAD, wadsOfPercent } from './wads.ts';

/**
 * What a reserve's rates are on the wall clock. The program charges by the slot as if a slot took half a second: on a faster chain
 * more is paid in a year than the nominal rate says.
 * @param slotMicros measured length of a slot, microseconds.
 */
export function ratesOf(reserve: SolendReserve, slotMicros: bigint): ReserveRates {
  const utilization = utilizationOf(reserve);
  const borrowRate = borrowRateOf(reserve);
  const kept = WAD - wadsOfPercent(reserve.config.protocolTakeRate);
  const toWallClock = (scaled: bigint, scale: bigint): FractionE18 =>
    (scaled * ASSUMED_SLOT_MICROS) / (scale * slotMicros);
  return {
    depositApr: toWallClock(utilization * borrowRate * kept, WAD * WAD),
    borrowApr: toWallClock(borrowRate, 1n),
    poolRewardApr: 0n,
    utilization,
    slotMicros,
  };
}

import { FRACTION_ONE, type FractionE18, smallerOf } from '@lending/domain';
import type { KlendMarket, KlendReserve } from '@lending/programs';
import type { ReserveRates } from '../reserve.ts';
import { ASSUMED_SLOT_MICROS } from '../venue-adapter.ts';
import { accrualUnitOf } from './accrual.ts';
import { totalSupplySf } from './exchange-rate.ts';
import { borrowRateOf, utilizationOf } from './interest-curve.ts';
import { poolRewardSf } from './rewards.ts';
import { fromBps, SF_ONE, toE18, toSf } from './scaled-fraction.ts';

/**
 * Rates at a reserve's present utilisation. The host's fixed rate is borrowers' alone, and depositors get the rest less the protocol's
 * share, a referrer's being part of that. A reserve that counts slots earns more by the wall clock the shorter they are.
 * @param slotMicros measured length of a slot.
 */
export function ratesOf(reserve: KlendReserve, market: KlendMarket, slotMicros: bigint): ReserveRates {
  const { config, liquidity } = reserve;
  const utilization = utilizationOf(liquidity.borrowedAmountSf, totalSupplySf(reserve));
  const curve = borrowRateOf(config.borrowRateCurve, utilization);
  const kept = BigInt(100 - config.protocolTakeRatePct);
  const isBySlots = accrualUnitOf(reserve) === 'slot';
  const wallClock = (nominal: FractionE18) => (isBySlots ? (nominal * ASSUMED_SLOT_MICROS) / slotMicros : nominal);
  return {
    depositApr: wallClock((utilization * curve * kept * FRACTION_ONE) / (100n * toSf(SF_ONE))),
    borrowApr: wallClock(toE18(curve + fromBps(config.hostFixedInterestRateBps))),
    poolRewardApr: wallClock(toE18(poolRewardSf(reserve, market))),
    utilization: toE18(smallerOf(utilization, SF_ONE)),
    slotMicros: isBySlots ? slotMicros : null,
  };
}

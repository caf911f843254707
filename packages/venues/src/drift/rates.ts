import type { FractionE18 } from '@lending/domain';
import type { ReserveRates } from '../reserve.ts';
import { borrowsOf, depositsOf, type ScaledTotals } from './exchange-rate.ts';
import { borrowRateOf, depositRateOf, type RateTerms, utilizationOf } from './interest-curve.ts';

const TO_E18 = 10n ** 12n;

type RatedMarket = RateTerms & ScaledTotals & { readonly insuranceFund: { readonly totalFactor: number } };

/** A market's rates at its totals. Drift counts seconds, so they are the wall clock's as they stand. */
export function ratesOf(market: RatedMarket): ReserveRates {
  const utilization = utilizationOf(depositsOf(market), borrowsOf(market));
  const borrowRate = borrowRateOf(market, utilization);
  return {
    depositApr:
      borrowRate === null ? null : toFraction(depositRateOf(borrowRate, utilization, market.insuranceFund.totalFactor)),
    borrowApr: borrowRate === null ? null : toFraction(borrowRate),
    poolRewardApr: 0n,
    utilization: toFraction(utilization),
    slotMicros: null,
  };
}

/** Of a market that does no business: its curve would still name a rate, which nobody earns. */
export const NO_RATES: ReserveRates = {
  depositApr: null,
  borrowApr: null,
  poolRewardApr: null,
  utilization: null,
  slotMicros: null,
};

function toFraction(millionths: bigint): FractionE18 {
  return millionths * TO_E18;
}

import { FRACTION_ONE, type FractionE18, fractionOf } from '@lending/domain';
import type { JuplendTokenReserve } from '@lending/programs';
import type { ReserveRates } from '../reserve.ts';
import { BASIS_ONE, type JuplendPrices, juplendSupplyRateE12, juplendTotals, PRICE_ONE } from './accrual.ts';
import { REWARD_RATE_ONE } from './rewards.ts';

/**
 * Rates as they are earned and paid now. They are by the second, so no slot time goes into them.
 * @param rewardRate what is paid on top, 10^14 is one; null where that is not known.
 */
export function ratesOf(reserve: JuplendTokenReserve, prices: JuplendPrices, rewardRate: bigint | null): ReserveRates {
  const { supply, borrow } = juplendTotals(reserve, prices);
  // Without borrows that pay, prices stand still.
  const supplyRate = reserve.totalBorrowWithInterest === 0n ? 0n : (juplendSupplyRateE12(reserve) ?? 0n);
  const utilization = fractionOf(borrow, supply) ?? 0n;
  return {
    depositApr: supplyRate * (FRACTION_ONE / PRICE_ONE),
    borrowApr: (BigInt(reserve.borrowRate) * FRACTION_ONE) / BASIS_ONE,
    poolRewardApr: rewardRate === null ? null : (((rewardRate * FRACTION_ONE) / REWARD_RATE_ONE) satisfies FractionE18),
    utilization: utilization > FRACTION_ONE ? FRACTION_ONE : utilization,
    slotMicros: null,
  };
}

import type { SolendReserve } from '@lending/programs';
import { borrowRateOf } from './interest-curve.ts';
import { addWads, multiplyRates, multiplyWads, subtractWads, toRate, WAD, wadsOfPercent } from './wads.ts';

/** The slots the program takes a year for: two a second. */
export const SLOTS_PER_YEAR = 63_072_000n;

/**
 * A reserve with its interest brought to a slot, as every instruction does it that moves tokens. Its `lastUpdate` stays: who writes
 * the account sets it.
 * @throws DECODE__VALUE_OUT_OF_RANGE where the program fails with a maths error: a slot before the last update too.
 * @see solana-program-library (Solend's) token-lending/sdk/src/state/reserve.rs `accrue_interest`
 */
export function accrueReserve(reserve: SolendReserve, slot: bigint): SolendReserve {
  const slots = subtractWads(slot, reserve.lastUpdate.slot);
  if (slots === 0n) return reserve;
  const { liquidity, accumulatedProtocolFeesWads, config } = reserve;
  const factor = toRate(compoundFactor(borrowRateOf(reserve), slots));
  const borrowed = liquidity.borrowedAmountWads;
  const newDebt = subtractWads(multiplyWads(borrowed, factor), borrowed);
  return {
    ...reserve,
    liquidity: {
      ...liquidity,
      borrowedAmountWads: addWads(borrowed, newDebt),
      cumulativeBorrowRateWads: multiplyWads(liquidity.cumulativeBorrowRateWads, factor),
    },
    accumulatedProtocolFeesWads: addWads(
      multiplyWads(newDebt, wadsOfPercent(config.protocolTakeRate)),
      accumulatedProtocolFeesWads,
    ),
  };
}

/** What one owed becomes in a number of slots: (1 + rate ÷ slots a year)^slots, by squaring, each product rounded down. */
export function compoundFactor(rate: bigint, slots: bigint): bigint {
  let base = WAD + rate / SLOTS_PER_YEAR;
  let factor = slots % 2n === 0n ? WAD : base;
  let left = slots;
  while (left > 0n) {
    left /= 2n;
    // The program squares once more after the last bit, and fails where that does not fit.
    base = multiplyRates(base, base);
    if (left % 2n !== 0n) factor = multiplyRates(factor, base);
  }
  return factor;
}

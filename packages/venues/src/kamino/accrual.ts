import { smallerOf } from '@lending/domain';
import { LendingError } from '@lending/errors';
import type { KlendMarket, KlendReserve } from '@lending/programs';
import type { Moment } from '../moment.ts';
import { totalSupplySf } from './exchange-rate.ts';
import { borrowRateOf, utilizationOf } from './interest-curve.ts';
import { type FractionSf, floorSf, fromBps, fromPercent, multiplySf, SF_ONE } from './scaled-fraction.ts';

/** What a reserve's interest and rewards count time in. */
export type AccrualUnit = 'slot' | 'second';

/** Slots are taken for half a second, whatever they last. */
const UNITS_PER_YEAR: Readonly<Record<AccrualUnit, bigint>> = { slot: 63_072_000n, second: 31_536_000n };
const FULL_BPS = 10_000n;
const WORD_BITS = 64n;
const WORD_MASK = (1n << WORD_BITS) - 1n;

type Liquidity = KlendReserve['liquidity'];

/**
 * What a reserve's rates are per, from klend 1.25 on a setting of each reserve.
 * @throws DECODE__VALUE_OUT_OF_RANGE for a basis this build has not heard of: any guess would be a wrong rate.
 */
export function accrualUnitOf({ config }: Pick<KlendReserve, 'config'>): AccrualUnit {
  if (config.interestRateBasis === 0) return 'slot';
  if (config.interestRateBasis === 1) return 'second';
  throw new LendingError('DECODE__VALUE_OUT_OF_RANGE', {
    message: `A Kamino reserve counts interest by basis ${config.interestRateBasis}, expected 0 (slots) or 1 (seconds)`,
    context: { interestRateBasis: config.interestRateBasis },
  });
}

export function unitsPerYearOf(reserve: Pick<KlendReserve, 'config'>): bigint {
  return UNITS_PER_YEAR[accrualUnitOf(reserve)];
}

/**
 * The reserve's liquidity as a refresh at this moment leaves it: interest first, at the rate of what stood there, then the reserve's own
 * rewards, which become liquidity.
 * @throws DECODE__VALUE_OUT_OF_RANGE
 * @see klend programs/klend/src/state/reserve.rs `accrue_interest`, `compound_interest`
 */
export function accrueReserve(reserve: KlendReserve, market: KlendMarket, moment: Moment): KlendReserve {
  const units = elapsedUnits(reserve, moment);
  if (units <= 0n) return reserve;
  const withInterest = { ...reserve, liquidity: compoundInterest(reserve, market.referralFeeBps, units) };
  return distributeRewards(withInterest, market.reserveRewardsMaxAprBps, units);
}

/** A reserve that counts seconds and has never noted one starts to count at its next refresh. */
function elapsedUnits(reserve: KlendReserve, { slot, unixTimestamp }: Moment): bigint {
  const { lastUpdate } = reserve;
  if (accrualUnitOf(reserve) === 'slot') return slot - lastUpdate.slot;
  return lastUpdate.timestamp === 0 ? 0n : unixTimestamp - BigInt(lastUpdate.timestamp);
}

function compoundInterest(reserve: KlendReserve, referralFeeBps: number, units: bigint): Liquidity {
  const { liquidity, config } = reserve;
  const perYear = unitsPerYearOf(reserve);
  const host = fromBps(config.hostFixedInterestRateBps);
  const curve = borrowRateOf(config.borrowRateCurve, utilizationOf(liquidity.borrowedAmountSf, totalSupplySf(reserve)));
  const growth = growthOver(curve + host, perYear, units);
  const debt = liquidity.borrowedAmountSf;
  const newDebt = multiplySf(debt, growth);
  const hostFee = multiplySf(debt, growthOver(host, perYear, units)) - debt;
  const variable = newDebt - debt - hostFee;
  const take = fromPercent(config.protocolTakeRatePct);
  const referralRate = multiplySf(take, fromBps(referralFeeBps));
  const forReferrers = multiplySf(variable, referralRate);
  const forProtocol = hostFee + multiplySf(variable, take) - forReferrers;
  return {
    ...liquidity,
    borrowedAmountSf: newDebt,
    cumulativeBorrowRateBsf: multiplyBigFraction(liquidity.cumulativeBorrowRateBsf, growth),
    accumulatedProtocolFeesSf: liquidity.accumulatedProtocolFeesSf + forProtocol,
    pendingReferrerFeesSf: liquidity.pendingReferrerFeesSf + forReferrers,
    absoluteReferralRateSf: referralRate,
  };
}

/**
 * What a debt is multiplied by: exact up to four units of time, from there the first terms of the series.
 * @see klend programs/klend/src/state/reserve.rs `approximate_compounded_interest`
 */
export function growthOver(rate: FractionSf, unitsPerYear: bigint, units: bigint): FractionSf {
  const base = rate / unitsPerYear;
  const once = SF_ONE + base;
  if (units === 0n) return SF_ONE;
  if (units === 1n) return once;
  const twice = multiplySf(once, once);
  if (units === 2n) return twice;
  if (units === 3n) return multiplySf(twice, once);
  if (units === 4n) return multiplySf(twice, twice);
  const squared = multiplySf(base, base);
  const cubed = multiplySf(squared, base);
  const second = (squared * units * (units - 1n)) / 2n;
  const third = (cubed * units * (units - 1n) * (units - 2n)) / 6n;
  return SF_ONE + base * units + second + third;
}

/** klend 1.22 and later: never more than the market's ceiling on a year's reward, nor than is left. */
function distributeRewards(reserve: KlendReserve, maxAprBps: number, units: bigint): KlendReserve {
  const { liquidity, collateral, config } = reserve;
  if (collateral.mintTotalSupply === 0n) return reserve;
  const ceiling = (floorSf(totalSupplySf(reserve)) * BigInt(maxAprBps) * units) / (FULL_BPS * unitsPerYearOf(reserve));
  const paid = [config.rewardsAmountPerSlot * units, ceiling, liquidity.rewardsAmountAvailable].reduce(smallerOf);
  return {
    ...reserve,
    liquidity: {
      ...liquidity,
      totalAvailableAmount: liquidity.totalAvailableAmount + paid,
      rewardsAmountAvailable: liquidity.rewardsAmountAvailable - paid,
    },
  };
}

/** Four words, the lowest first; the program clears what follows them. */
function multiplyBigFraction(index: Liquidity['cumulativeBorrowRateBsf'], factor: FractionSf) {
  const whole = index.value.reduceRight((sum, word) => (sum << WORD_BITS) | word, 0n);
  const product = multiplySf(whole, factor);
  const value = index.value.map((_, word) => (product >> (WORD_BITS * BigInt(word))) & WORD_MASK);
  return { value, padding: new Uint8Array(index.padding.length) };
}

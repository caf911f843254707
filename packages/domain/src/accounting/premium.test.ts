import { describe, expect, it } from 'vitest';
import { formatI80F48, I80F48_ONE, integerToI80F48, parseI80F48 } from '../i80f48.ts';
import { rateFromU32 } from '../interest-curve.ts';
import { calcValue } from '../risk/calc-value.ts';
import { madeBank } from '../risk/testing/made-balances.ts';
import {
  accruePremium,
  encodePremiumRate,
  type PremiumPair,
  pairRateOf,
  premiumRateFor,
  splitRepayment,
} from './premium.ts';

const YEAR = 31_536_000n;
const DAY = 86_400n;
const BONK = 7;
const STABLE = 9;
const UNTAGGED = 0;
const TEN_PERCENT = 42_949_672;
const PAIRS: readonly PremiumPair[] = [
  { collateralTag: BONK, liabilityTag: STABLE, rate: TEN_PERCENT },
  { collateralTag: BONK, liabilityTag: BONK, rate: 1 },
];
const usd = (tag: number, dollars: string) => ({ tag, usd: parseI80F48(dollars) });

/** What a debt of whole base units accrues in so many seconds from nothing, at an encoded rate. */
function accrued(debt: bigint, rate: number, seconds: bigint) {
  const premium = { rate, outstanding: 0n, claimedAt: 1_000n };
  return accruePremium(premium, integerToI80F48(debt), 0n, 1_000n + seconds);
}

describe('the encoding of a premium rate', () => {
  it('is of 1,000 % in u32::MAX parts, cut down', () => {
    expect(['0.01', '0.05', '0.1', '1'].map((rate) => encodePremiumRate(parseI80F48(rate)))).toEqual([
      4_294_967, 21_474_836, 42_949_672, 429_496_729,
    ]);
    expect(rateFromU32(TEN_PERCENT)).toBe(28_147_497_048_470n);
  });

  it('holds nothing below zero and above 1,000 %', () => {
    expect(encodePremiumRate(-1n)).toBe(0);
    expect(encodePremiumRate(parseI80F48('10.5'))).toBe(4_294_967_295);
  });
});

describe('accruePremium', () => {
  it('is simple interest, to the last bit', () => {
    expect(accrued(5_000_000n, TEN_PERCENT, YEAR)).toBe(140_737_485_242_350_000_000n);
    expect(accrued(5_000_000n, TEN_PERCENT, DAY)).toBe(385_582_151_348_793_150n);
    expect(accrued(5_000_000n, 21_474_835, YEAR)).toBe(70_368_739_344_350_000_000n);
    expect(accrued(5_000_000n, 4_294_967, 60n * DAY)).toBe(2_313_492_800_358_888_356n);
  });

  it('takes the rate of the debt as it stands, in fractions of a base unit', () => {
    const premium = { rate: 4_294_967, outstanding: 0n, claimedAt: 1n };
    expect(accruePremium(premium, parseI80F48('50.41'), 0n, 1n + 60n * DAY)).toBe(23_324_634_413_218n);
  });

  it('weighs in health as a term of its own', () => {
    const premium = accrued(85_000_000n, TEN_PERCENT, 30n * DAY);
    expect(premium).toBe(196_646_897_187_935_506_849n);
    const bank = madeBank({ decimals: 6 });
    expect(calcValue(premium, I80F48_ONE, I80F48_ONE, bank)).toBe(196_646_897_187_935n);
    expect(calcValue(premium, I80F48_ONE, parseI80F48('1.25'), bank)).toBe(245_808_621_484_919n);
  });

  it('adds to what was claimed, which bears nothing itself', () => {
    const one = accrued(5_000_000n, TEN_PERCENT, DAY);
    const premium = { rate: TEN_PERCENT, outstanding: one, claimedAt: 1_000n };
    expect(accruePremium(premium, integerToI80F48(5_000_000n), 0n, 1_000n + DAY)).toBe(2n * one);
  });

  it('starts at the later of the last claim and the activation, and never without a claim', () => {
    const at = (claimedAt: bigint, activatedAt: bigint) =>
      accruePremium(
        { rate: TEN_PERCENT, outstanding: 0n, claimedAt },
        integerToI80F48(5_000_000n),
        activatedAt,
        6_000n,
      );
    expect(at(1_000n, 5_000n)).toBe(accrued(5_000_000n, TEN_PERCENT, 1_000n));
    expect(at(1_000n, -1n)).toBe(accrued(5_000_000n, TEN_PERCENT, 5_000n));
    expect(at(1_000n, 7_000n)).toBe(0n);
    expect(at(0n, 0n)).toBe(0n);
  });
});

describe('premiumRateFor', () => {
  it('weighs the pairs by what the collateral is worth', () => {
    expect(premiumRateFor(STABLE, [usd(UNTAGGED, '10')], PAIRS)).toBe(0);
    expect(premiumRateFor(STABLE, [usd(BONK, '10')], PAIRS)).toBe(42_949_671);
    expect(premiumRateFor(STABLE, [usd(BONK, '10'), usd(UNTAGGED, '10')], PAIRS)).toBe(21_474_835);
    expect(premiumRateFor(STABLE, [usd(UNTAGGED, '30'), usd(BONK, '10')], PAIRS)).toBe(10_737_417);
  });

  it('is nothing without collateral, without a pair and for a debt without a tag', () => {
    expect(premiumRateFor(STABLE, [], PAIRS)).toBe(0);
    expect(premiumRateFor(STABLE, [usd(BONK, '0')], PAIRS)).toBe(0);
    expect(premiumRateFor(STABLE, [usd(STABLE, '10')], PAIRS)).toBe(0);
    expect(pairRateOf([{ collateralTag: 0, liabilityTag: STABLE, rate: 5 }], UNTAGGED, STABLE)).toBe(0);
    expect(pairRateOf([{ collateralTag: BONK, liabilityTag: 0, rate: 5 }], BONK, UNTAGGED)).toBe(0);
  });
});

describe('splitRepayment', () => {
  it('pays the premium first', () => {
    const outstanding = parseI80F48('410000.25');
    const { premium, principal } = splitRepayment(outstanding, integerToI80F48(1_000_000n));
    expect([formatI80F48(premium), formatI80F48(principal)]).toEqual(['410000.25', '589999.75']);
    expect(splitRepayment(outstanding, integerToI80F48(5n))).toEqual({ premium: integerToI80F48(5n), principal: 0n });
    expect(splitRepayment(-1n, integerToI80F48(5n))).toEqual({ premium: 0n, principal: integerToI80F48(5n) });
  });
});

import { formatFraction } from '@lending/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { borrowRateOf, depositRateOf, utilizationOf } from './interest-curve.ts';
import { ratesOf } from './rates.ts';
import { spotMarket } from './testing/made-reserve.ts';

const terms = { optimalUtilization: 800_000, optimalBorrowRate: 50_000, maxBorrowRate: 500_000, minBorrowRate: 0 };

describe('utilizationOf', () => {
  it('is nothing without deposits and loans, and all where loans are left without deposits', () => {
    expect(utilizationOf(0n, 0n)).toBe(0n);
    expect(utilizationOf(0n, 1n)).toBe(1_000_000n);
  });

  it('goes above one after a loss', () => {
    expect(utilizationOf(100n, 150n)).toBe(1_500_000n);
  });
});

describe('borrowRateOf and depositRateOf', () => {
  it.each([
    [400_000n, 25_000n, 9_000n],
    [800_000n, 50_000n, 36_000n],
    [825_000n, 61_250n, 45_478n],
    [850_000n, 72_500n, 55_462n],
    [875_000n, 95_000n, 74_812n],
    [920_000n, 144_500n, 119_646n],
    [960_000n, 207_500n, 179_280n],
    [992_000n, 320_000n, 285_696n],
    [1_000_000n, 500_000n, 450_000n],
  ])('follow the curve at %s', (utilization, borrow, deposit) => {
    const rate = borrowRateOf(terms, utilization);
    expect(rate).toBe(borrow);
    expect(depositRateOf(rate ?? -1n, utilization, 100_000)).toBe(deposit);
  });

  it('have the values of the integration tests of P0', () => {
    const halfLent = borrowRateOf({ ...terms, optimalBorrowRate: 200_000, maxBorrowRate: 1_000_000 }, 500_000n);
    expect(halfLent).toBe(125_000n);
    expect(depositRateOf(62_500n, 500_000n, 500_000)).toBe(15_625n);
    expect(borrowRateOf({ ...terms, optimalBorrowRate: 250_000, maxBorrowRate: 1_500_000 }, 950_000n)).toBe(625_000n);
    expect(borrowRateOf({ ...terms, minBorrowRate: 10 }, 0n)).toBe(50_000n);
  });

  it('divide the slope first', () => {
    // 3 × 10^6 ÷ 700000 is 4, not 4.28.
    expect(borrowRateOf({ ...terms, optimalUtilization: 700_000, optimalBorrowRate: 3 }, 700_000n)).toBe(2n);
  });

  it('ask no more above full use than at it', () => {
    expect(borrowRateOf(terms, 3_000_000n)).toBe(500_000n);
  });

  it.each([
    ['no optimal utilisation', { ...terms, optimalUtilization: 0 }, 0n],
    ['an optimal utilisation inside the second stretch', { ...terms, optimalUtilization: 850_001 }, 850_002n],
    ['a highest rate below the optimal one', { ...terms, maxBorrowRate: 49_999 }, 800_001n],
  ])('know no rate with %s, as the program fails', (_what, broken, utilization) => {
    expect(borrowRateOf(broken, utilization)).toBeNull();
  });

  it('rise with utilisation', () => {
    const curve = fc.record({
      optimalUtilization: fc.integer({ min: 1, max: 850_000 }),
      optimalBorrowRate: fc.integer({ min: 0, max: 1_000_000 }),
      maxBorrowRate: fc.integer({ min: 1_000_000, max: 20_000_000 }),
      minBorrowRate: fc.integer({ min: 0, max: 255 }),
    });
    const half = fc.bigInt({ min: 0n, max: 500_000n });
    fc.assert(
      fc.property(curve, half, half, (any, low, more) => {
        const high = low + more;
        const [lowRate, highRate] = [borrowRateOf(any, low) ?? -1n, borrowRateOf(any, high) ?? -1n];
        expect(lowRate).toBeGreaterThanOrEqual(0n);
        expect(highRate).toBeGreaterThanOrEqual(lowRate);
        expect(depositRateOf(highRate, high, 10_000)).toBeLessThanOrEqual(highRate);
      }),
    );
  });
});

describe('ratesOf', () => {
  it('reads the USDC market of 2024-09-30', () => {
    const { depositApr, borrowApr, utilization, poolRewardApr, slotMicros } = ratesOf(
      spotMarket({
        ...{ depositBalance: 75_458_907_553_732_602n, borrowBalance: 35_920_482_715_933_506n },
        ...{ cumulativeDepositInterest: 10_942_206_796n, cumulativeBorrowInterest: 12_051_835_006n },
        ...{ optimalUtilization: 700_000, optimalBorrowRate: 150_000, maxBorrowRate: 2_000_000 },
        insuranceFund: { ...spotMarket().insuranceFund, totalFactor: 10_000 },
      }),
    );
    expect([depositApr, borrowApr, utilization].map((each) => formatFraction(each ?? -1n))).toEqual([
      '0.058315',
      '0.112349',
      '0.5243',
    ]);
    expect(poolRewardApr).toBe(0n);
    expect(slotMicros).toBeNull();
  });

  it('reads the SOL market of 2024-09-29, whose lowest rate is half a percent', () => {
    const { depositApr, borrowApr, utilization } = ratesOf(
      spotMarket({
        decimals: 9,
        ...{ depositBalance: 392_004_402_108_425n, borrowBalance: 130_724_495_244_459n },
        ...{ cumulativeDepositInterest: 10_322_526_111n, cumulativeBorrowInterest: 10_882_078_169n },
        ...{ optimalUtilization: 800_000, optimalBorrowRate: 140_000, maxBorrowRate: 1_200_000, minBorrowRate: 1 },
        insuranceFund: { ...spotMarket().insuranceFund, totalFactor: 200_000 },
      }),
    );
    expect([depositApr, borrowApr, utilization].map((each) => formatFraction(each ?? -1n))).toEqual([
      '0.017302',
      '0.061521',
      '0.351553',
    ]);
  });

  it('knows the utilisation where it knows no rate', () => {
    expect(ratesOf(spotMarket({ maxBorrowRate: 0, optimalUtilization: 600_000 }))).toEqual({
      ...{ depositApr: null, borrowApr: null, poolRewardApr: 0n, slotMicros: null },
      utilization: 700_000_000_000_000_000n,
    });
  });
});

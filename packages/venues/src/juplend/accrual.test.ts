import { isLendingError } from '@lending/errors';
import { describe, expect, it } from 'vitest';
import { accrueJuplendPrices, juplendSupplyRateE12, juplendTotals, juplendUtilization } from './accrual.ts';
import { JUPLEND_UPDATED, madeTokenReserve } from './testing/made-reserve.ts';

const prices = (supply: bigint, borrow: bigint) => ({ supply, borrow });
const failureOf = (run: () => unknown): unknown => {
  try {
    run();
  } catch (error) {
    if (isLendingError(error, 'DECODE__VALUE_OUT_OF_RANGE')) return error.context.failure;
    throw error;
  }
  return null;
};

describe('accrueJuplendPrices', () => {
  it('adds simple interest to the published USDC reserve', () => {
    const after = accrueJuplendPrices(madeTokenReserve(), JUPLEND_UPDATED + 3_600n);
    expect(after.supply).toBe(1_030_000_619_184n);
    // 1.045e12 × 442 × 3600 ÷ (31,536,000 × 10,000), rounded up
    expect(after.borrow).toBe(1_045_000_000_000n + 5_272_717n);
  });

  it('moves nothing where no time has passed, nothing is charged or nobody borrows with interest', () => {
    const [before, later] = [prices(1_029_996_710_353n, 1_045_000_000_000n), JUPLEND_UPDATED + 60n];
    expect(accrueJuplendPrices(madeTokenReserve(), JUPLEND_UPDATED)).toEqual(before);
    expect(accrueJuplendPrices(madeTokenReserve({ borrowRate: 0 }), later)).toEqual(before);
    expect(accrueJuplendPrices(madeTokenReserve({ totalBorrowWithInterest: 0n }), later)).toEqual(before);
  });

  it('charges borrowers where nobody is there to be paid', () => {
    const later = JUPLEND_UPDATED + 60n;
    const after = accrueJuplendPrices(madeTokenReserve({ totalSupplyWithInterest: 0n }), later);
    expect(after.supply).toBe(1_029_996_710_353n);
    expect(after.borrow).toBeGreaterThan(1_045_000_000_000n);
  });

  it('refuses a clock behind the last update, and prices of nothing', () => {
    expect(failureOf(() => accrueJuplendPrices(madeTokenReserve(), JUPLEND_UPDATED - 1n))).toBe('LibraryMathError');
    const worthless = madeTokenReserve({ supplyExchangePrice: 0n });
    expect(failureOf(() => accrueJuplendPrices(worthless, JUPLEND_UPDATED))).toBe('ExchangePriceZero');
  });
});

describe('juplendSupplyRateE12', () => {
  it('is the borrow rate on the part lent, less the fee', () => {
    expect(juplendSupplyRateE12(madeTokenReserve())).toBe(442n * 8_357n * 9_000n);
  });

  /** The example that the program's source works through: 62.5% of the supply earns 36%. */
  it('gives what some lenders renounce to the others, and counts only borrowers who pay', () => {
    const reserve = madeTokenReserve({
      borrowRate: 4_000,
      lastUtilization: 6_000,
      totalSupplyWithInterest: 80n,
      totalSupplyInterestFree: 20n,
      totalBorrowWithInterest: 50n,
      totalBorrowInterestFree: 10n,
    });
    // A sixth of the borrowers does not pay; seventeen digits of it are kept.
    expect(juplendSupplyRateE12(reserve)).toBe(4_000n * 6_250n * 9_000n);
  });

  it('inverts the ratio where most supply earns nothing', () => {
    const reserve = madeTokenReserve({
      borrowRate: 4_000,
      feeOnInterest: 0,
      lastUtilization: 5_000,
      totalSupplyWithInterest: 20n,
      totalSupplyInterestFree: 80n,
      totalBorrowWithInterest: 50n,
    });
    expect(juplendSupplyRateE12(reserve)).toBe(4_000n * 25_000n * 10_000n);
  });

  it('is nothing where the earning part is too small to be counted', () => {
    expect(juplendSupplyRateE12(madeTokenReserve({ totalSupplyWithInterest: 0n }))).toBeNull();
    const tiny = madeTokenReserve({ totalSupplyWithInterest: 1n, totalSupplyInterestFree: 100_000n });
    expect(juplendSupplyRateE12(tiny)).toBeNull();
  });
});

describe('juplendTotals', () => {
  it('values the published supply', () => {
    const { supply } = juplendTotals(madeTokenReserve(), prices(1_029_996_710_353n, 10n ** 12n));
    expect(supply).toBe(413_427_469_783_881n);
  });
});

describe('juplendUtilization', () => {
  const totals = { totalSupplyInterestFree: 0n, totalBorrowInterestFree: 0n } as const;

  it('compares what is borrowed with what is supplied, both at their prices', () => {
    const raw = madeTokenReserve({
      totalSupplyWithInterest: 500_000_000_000_000n,
      totalBorrowWithInterest: 400_000_000_000_000n,
    });
    expect(juplendUtilization(raw, prices(1_250_000_000_000n, 1_500_000_000_000n))).toBe(9_600n);
  });

  it('is zero without supply', () => {
    const raw = { ...totals, totalSupplyWithInterest: 0n, totalBorrowWithInterest: 5n };
    expect(juplendUtilization(raw, prices(10n ** 12n, 10n ** 12n))).toBe(0n);
  });

  it('refuses to grow past the cap of a mint, and to store more than fits', () => {
    const raw = { ...totals, totalSupplyWithInterest: 1n << 60n, totalBorrowWithInterest: 5n };
    const one = prices(10n ** 12n, 10n ** 12n);
    expect(failureOf(() => juplendUtilization(raw, one, { supply: true }))).toBe('ValueOverflowTotalSupply');
    expect(failureOf(() => juplendUtilization(raw, one))).toBeNull();
    const bad = { ...totals, totalSupplyWithInterest: 1n, totalBorrowWithInterest: 7n };
    expect(failureOf(() => juplendUtilization(bad, one))).toBe('LibraryCastingFailure');
  });
});

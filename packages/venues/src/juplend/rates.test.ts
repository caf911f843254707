import { formatFraction } from '@lending/domain';
import { describe, expect, it } from 'vitest';
import { juplendBorrowRate } from './interest-curve.ts';
import { ratesOf } from './rates.ts';
import { madeRateModel, madeTokenReserve } from './testing/made-reserve.ts';

const oneKink = madeRateModel({
  version: 1,
  kink1Utilization: 9_000,
  rateAtKink1: 300,
  rateAtMax: 10_000,
  kink2Utilization: 0,
  rateAtKink2: 0,
});

describe('juplendBorrowRate', () => {
  it.each([
    [0n, 0n],
    [577n, 19n],
    [4_500n, 149n],
    [9_000n, 300n],
    [9_500n, 5_150n],
    [10_000n, 10_000n],
  ])('follows a curve of one kink at %d', (utilization, rate) => {
    expect(juplendBorrowRate(oneKink, utilization)).toBe(rate);
  });

  it.each([
    [0n, 0n],
    [4_250n, 299n],
    [8_500n, 600n],
    [8_900n, 700n],
    [9_300n, 800n],
    [9_650n, 5_399n],
    [10_000n, 9_999n],
  ])('follows a curve of two kinks at %d', (utilization, rate) => {
    expect(juplendBorrowRate(madeRateModel(), utilization)).toBe(rate);
  });

  it('stops at what two bytes hold', () => {
    expect(juplendBorrowRate({ ...oneKink, rateAtMax: 60_000 }, 20_000n)).toBe(65_535n);
  });

  it('refuses a falling curve below zero and a version it does not know', () => {
    expect(() => juplendBorrowRate({ ...oneKink, rateAtKink1: 300, rateAtMax: 0 }, 10_500n)).toThrow(
      'BorrowRateNegative',
    );
    expect(() => juplendBorrowRate({ ...oneKink, version: 3 }, 0n)).toThrow('UnsupportedRateVersion');
  });
});

describe('ratesOf', () => {
  const prices = { supply: 1_029_996_710_353n, borrow: 1_045_000_000_000n };

  it('tells the stored rates of the published USDC reserve', () => {
    const rates = ratesOf(madeTokenReserve(), prices, 3_125_000_000_000n);
    expect(formatFraction(rates.depositApr ?? 0n)).toBe('0.033244146');
    expect(formatFraction(rates.borrowApr ?? 0n)).toBe('0.0442');
    expect(formatFraction(rates.poolRewardApr ?? 0n)).toBe('0.03125');
    expect(formatFraction(rates.utilization ?? 0n)).toMatch(/^0\.8357/);
    expect(rates.slotMicros).toBeNull();
  });

  it('pays depositors nothing while nobody borrows with interest', () => {
    const rates = ratesOf(madeTokenReserve({ totalBorrowWithInterest: 0n }), prices, null);
    expect(rates).toMatchObject({ depositApr: 0n, poolRewardApr: null, utilization: 0n });
  });
});

import { describe, expect, it } from 'vitest';
import { I80F48_ONE, parseI80F48 } from './i80f48.ts';
import { computeInterestRates, computeUtilization } from './interest.ts';
import { createPointsCurve } from './interest-curve.ts';

const none = { rate: 0n, fixedApr: 0n };
const flatTenPercent = createPointsCurve(42_949_673, 42_949_673, []);

describe('computeUtilization', () => {
  it('is zero for an empty bank and unknown for debt without deposits', () => {
    expect(computeUtilization(0n, 0n)).toBe(0n);
    expect(computeUtilization(0n, 1n)).toBeNull();
  });
});

describe('computeInterestRates', () => {
  it('shows the program fee apart and inside the borrow rate', () => {
    const program = { rate: parseI80F48('0.075'), fixedApr: parseI80F48('0.001') };
    const without = computeInterestRates(flatTenPercent, { insurance: none, group: none, program: null }, I80F48_ONE);
    const with_ = computeInterestRates(flatTenPercent, { insurance: none, group: none, program }, I80F48_ONE);
    expect(without?.programFeeApr).toBe(0n);
    expect(with_?.borrowApr).toBe((without?.borrowApr ?? 0n) + (with_?.programFeeApr ?? 0n));
    expect(Number(with_?.programFeeApr) / Number(I80F48_ONE)).toBeCloseTo(0.1 * 0.075 + 0.001, 9);
    expect(with_?.depositApr).toBe(without?.depositApr);
  });

  it('keeps insurance and group fees apart', () => {
    const fees = {
      insurance: { rate: 0n, fixedApr: 3n },
      group: { rate: I80F48_ONE / 2n, fixedApr: 0n },
      program: null,
    };
    const rates = computeInterestRates(flatTenPercent, fees, I80F48_ONE);
    expect(rates?.insuranceFeeApr).toBe(3n);
    expect(rates?.groupFeeApr).toBe((rates?.baseApr ?? 0n) / 2n);
  });
});

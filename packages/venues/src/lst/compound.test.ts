import { FRACTION_ONE, formatFraction } from '@lending/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compoundGrowth } from './compound.ts';

const ONCE = { numerator: 1n, denominator: 1n };

describe('compoundGrowth', () => {
  it('is the growth itself after one step', () => {
    expect(formatFraction(compoundGrowth(8n, 9n, ONCE) ?? -1n)).toBe('0.125');
    expect(formatFraction(compoundGrowth(8n, 7n, ONCE) ?? -1n)).toBe('-0.125');
    expect(compoundGrowth(8n, 8n, ONCE)).toBe(0n);
  });

  it('compounds over whole and over broken steps', () => {
    expect(formatFraction(compoundGrowth(10n, 11n, { numerator: 3n, denominator: 1n }) ?? -1n)).toBe('0.331');
    expect(formatFraction(compoundGrowth(100n, 121n, { numerator: 1n, denominator: 2n }) ?? -1n)).toBe('0.1');
  });

  it.each([
    [0n, 1n],
    [1n, 0n],
    [-1n, 1n],
    [1n, -1n],
    [-1n, -1n],
    [0n, 0n],
    [1n, 2n],
    [2n, 1n],
  ])('measures nothing between %s and %s', (first, last) => {
    expect(compoundGrowth(first, last, ONCE)).toBeNull();
  });

  it('is within a millionth of a millionth of what floats say', () => {
    const rate = fc.bigInt({ min: FRACTION_ONE, max: 2n * FRACTION_ONE });
    const growthPpb = fc.bigInt({ min: -5_000_000n, max: 5_000_000n });
    const steps = fc.bigInt({ min: 1n, max: 400n });
    fc.assert(
      fc.property(rate, growthPpb, steps, (first, ppb, numerator) => {
        const last = first + (first * ppb) / 1_000_000_000n;
        const growth = Number(last - first) / Number(first);
        const expected = Math.expm1(Number(numerator) * Math.log1p(growth));
        const actual = Number(compoundGrowth(first, last, { numerator, denominator: 1n })) / 1e18;
        expect(Math.abs(actual - expected)).toBeLessThanOrEqual(1e-12 * (1 + Math.abs(expected)));
      }),
    );
  });
});

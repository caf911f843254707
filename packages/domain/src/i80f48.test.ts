import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ceilI80F48,
  divideI80F48,
  floorI80F48,
  formatI80F48,
  I80F48_ONE,
  integerToI80F48,
  multiplyI80F48,
  parseI80F48,
} from './i80f48.ts';

const MAX = 2n ** 127n - 1n;
const raw = fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n });
const nonZero = raw.filter((value) => value !== 0n);

describe('multiplyI80F48', () => {
  it('rounds a negative product away from zero, down', () => {
    expect(multiplyI80F48(-1n, 1n)).toBe(-1n);
    expect(multiplyI80F48(1n, 1n)).toBe(0n);
  });

  it('is at most one unit below the exact product and never above it', () => {
    fc.assert(
      fc.property(raw, raw, (a, b) => {
        const lost = a * b - multiplyI80F48(a, b) * I80F48_ONE;
        expect(lost >= 0n && lost < I80F48_ONE).toBe(true);
      }),
    );
  });

  it('refuses a product beyond 128 bits', () => {
    expect(() => multiplyI80F48(MAX, integerToI80F48(2n))).toThrowError(
      expect.objectContaining({ code: 'DECODE__VALUE_OUT_OF_RANGE' }),
    );
    expect(multiplyI80F48(MAX, I80F48_ONE)).toBe(MAX);
  });
});

describe('divideI80F48', () => {
  it('rounds toward zero, on both sides of it', () => {
    expect(divideI80F48(integerToI80F48(-1n), integerToI80F48(3n))).toBe(-(I80F48_ONE / 3n));
    expect(divideI80F48(integerToI80F48(1n), integerToI80F48(3n))).toBe(I80F48_ONE / 3n);
  });

  it('gives back a factor of a whole product', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 20n), max: 2n ** 20n }), nonZero, (a, b) => {
        expect(divideI80F48(multiplyI80F48(integerToI80F48(a), b), b)).toBe(integerToI80F48(a));
      }),
    );
  });

  it('refuses a division by zero', () => {
    expect(() => divideI80F48(1n, 0n)).toThrowError(expect.objectContaining({ code: 'DECODE__VALUE_OUT_OF_RANGE' }));
  });
});

describe('floorI80F48 and ceilI80F48', () => {
  it('enclose every value within one, and agree on whole numbers', () => {
    fc.assert(
      fc.property(raw, (value) => {
        const [floor, ceil] = [floorI80F48(value), ceilI80F48(value)];
        expect(integerToI80F48(floor) <= value && value <= integerToI80F48(ceil)).toBe(true);
        expect(ceil - floor).toBe(value % I80F48_ONE === 0n ? 0n : 1n);
      }),
    );
  });
});

describe('formatI80F48', () => {
  it('writes the whole expansion', () => {
    expect(formatI80F48(1n)).toBe('0.000000000000003552713678800500929355621337890625');
    expect(formatI80F48(-I80F48_ONE / 2n)).toBe('-0.5');
    expect(formatI80F48(I80F48_ONE)).toBe('1');
  });

  it('is read back to the same value, without rounding', () => {
    fc.assert(
      fc.property(raw, (value) => {
        expect(parseI80F48(formatI80F48(value), 'strict')).toBe(value);
      }),
    );
  });
});

describe('parseI80F48', () => {
  it('takes the nearest value for a decimal that has none', () => {
    expect(parseI80F48('2.12')).toBe((I80F48_ONE * 212n + 50n) / 100n);
  });
});

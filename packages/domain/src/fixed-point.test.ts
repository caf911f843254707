import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromUiAmount, scientificToDecimal, toUiAmount } from './amounts.ts';
import { FRACTION_ONE, formatFraction, fractionOf, parseFraction } from './fraction.ts';
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

describe('fractionOf', () => {
  it('rounds toward zero', () => {
    expect(fractionOf(1n, 3n)).toBe(333_333_333_333_333_333n);
    expect(fractionOf(-2n, 3n)).toBe(-666_666_666_666_666_666n);
  });

  it('is unknown without a denominator', () => {
    expect(fractionOf(1n, 0n)).toBeNull();
  });
});

describe('formatFraction', () => {
  it.each([
    [0n, '0'],
    [FRACTION_ONE, '1'],
    [50_000_000_000_000_000n, '0.05'],
    [-1n, '-0.000000000000000001'],
    [12_345n * FRACTION_ONE, '12345'],
  ])('writes %s as %s', (value, text) => {
    expect(formatFraction(value)).toBe(text);
  });

  it('loses nothing', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), (value) => {
        const text = formatFraction(value);
        const [whole = '', decimals = ''] = text.replace('-', '').split('.');
        const back = BigInt(whole + decimals.padEnd(18, '0'));
        expect(text.startsWith('-') ? -back : back).toBe(value);
        expect(text).toMatch(/^-?(0|[1-9]\d*)(\.\d*[1-9])?$/);
      }),
    );
  });
});

describe('parseFraction', () => {
  it.each(['0', '1', '-0.05', '0.000000000000000001', '123456789.5'])('reads %s as it was written', (text) => {
    expect(formatFraction(parseFraction(text))).toBe(text);
  });

  it('cuts digits after the 18th and takes trailing zeros', () => {
    expect(parseFraction('0.0000000000000000019')).toBe(1n);
    expect(parseFraction('1.500')).toBe(1_500_000_000_000_000_000n);
  });

  it.each(['', '1e5', 'NaN', '.5', '1.2.3'])('refuses %j', (text) => {
    expect(() => parseFraction(text)).toThrow(SyntaxError);
  });
});

describe('toUiAmount', () => {
  it('is exact for every u64 and every number of decimals a mint can have', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.integer({ min: 0, max: 23 }), (base, decimals) => {
        expect(fromUiAmount(toUiAmount(base, decimals), decimals)).toBe(base);
      }),
    );
  });

  it('writes no trailing zeros', () => {
    expect(toUiAmount(1_500_000n, 6)).toBe('1.5');
  });
});

describe('fromUiAmount', () => {
  it('refuses more decimals than the mint has', () => {
    expect(() => fromUiAmount('0.0000001', 6)).toThrow();
  });
});

describe('scientificToDecimal', () => {
  it('writes out what feeds publish', () => {
    expect(scientificToDecimal(242_803n, -10)).toBe('0.0000242803');
    expect(scientificToDecimal(7n, 3)).toBe('7000');
  });
});

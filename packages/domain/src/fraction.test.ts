import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FRACTION_ONE, formatFraction, fractionOf, parseFraction } from './fraction.ts';

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

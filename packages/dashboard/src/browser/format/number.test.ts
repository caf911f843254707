import { describe, expect, it } from 'vitest';
import {
  formatCount,
  formatFactor,
  formatPct,
  formatPrice,
  formatPricePrecisely,
  formatTokens,
  formatUsd,
} from './number.ts';

const ALL = [formatCount, formatFactor, formatPct, formatPrice, formatPricePrecisely, formatTokens, formatUsd];

describe('every format of a number', () => {
  it('shows what is not known as a dash, and never as a number', () => {
    for (const format of ALL) {
      expect([null, undefined, Number.NaN, Number.POSITIVE_INFINITY].map((value) => format(value))).toEqual([
        '–',
        '–',
        '–',
        '–',
      ]);
    }
  });

  it('shows a measured zero as a number', () => {
    expect(ALL.map((format) => format(0))).toEqual(['0', '0', '0.00%', '$0.00', '$0', '0', '$0.00']);
  });
});

describe('formatPct', () => {
  it('gives two digits, and a minus that is as wide as a digit', () => {
    expect(formatPct(3.6349)).toBe('3.63%');
    expect(formatPct(-12.5)).toBe('−12.50%');
    expect(formatPct(1_234.5)).toBe('1,234.50%');
  });

  it('does not round what is there to nothing', () => {
    expect(formatPct(0.0049)).toBe('<0.01%');
    expect(formatPct(-0.0001)).toBe('>−0.01%');
    expect(formatPct(0.005)).toBe('0.01%');
  });
});

describe('formatUsd', () => {
  it('is exact to the cent below a thousand, and has four digits above', () => {
    expect(formatUsd(999.994)).toBe('$999.99');
    expect(formatUsd(1_000)).toBe('$1.000K');
    expect(formatUsd(10_300_000)).toBe('$10.30M');
    expect(formatUsd(1_234_567_890)).toBe('$1.235B');
  });

  it('puts the sign before the currency, and says of less than a cent that it is that', () => {
    expect(formatUsd(-2_500)).toBe('−$2.500K');
    expect(formatUsd(0.004)).toBe('<$0.01');
    expect(formatUsd(-0.004)).toBe('>−$0.01');
  });
});

describe('formatPrice', () => {
  it('shows cents from a dollar up, and six digits that count below', () => {
    expect(formatPrice(87_123.456)).toBe('$87,123.46');
    expect(formatPrice(0.99999448)).toBe('$0.999994');
    expect(formatPrice(0.000012345678)).toBe('$0.0000123457');
  });
});

describe('formatTokens', () => {
  it('names the token where it has a name', () => {
    expect(formatTokens(9_999.1234567, 'SOL')).toBe('9,999.12 SOL');
    expect(formatTokens(400_000_000, null)).toBe('400M');
    expect(formatTokens(0.000000001)).toBe('0.000000001');
  });
});

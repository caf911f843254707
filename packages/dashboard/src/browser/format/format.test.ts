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
import { formatRatio } from './ratio.ts';
import { formatAge, formatSeconds, formatTime, formatUtc } from './time.ts';

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

const NOW = Date.parse('2026-11-22T12:00:00Z');

describe('formatSeconds', () => {
  it('takes the largest unit that is whole, and hours up to two days', () => {
    const shown = [0.9, 59.9, 60, 3_599, 3_600, 172_799, 172_800].map(formatSeconds);
    expect(shown).toEqual(['0 s', '59 s', '1 min', '59 min', '1 h', '47 h', '2 d']);
  });

  it('knows nothing of what is not known', () => {
    expect([null, undefined, Number.NaN].map(formatSeconds)).toEqual(['–', '–', '–']);
  });
});

describe('formatAge', () => {
  it('says how long ago a time is', () => {
    expect(formatAge('2026-11-22T11:57:00Z', NOW)).toBe('3 min ago');
  });

  it('takes a time that lies ahead of our clock for now', () => {
    expect(formatAge('2026-11-22T12:00:09Z', NOW)).toBe('0 s ago');
  });

  it('knows no age of what is no time', () => {
    expect([null, undefined, 'soon'].map((time) => formatAge(time, NOW))).toEqual(['–', '–', '–']);
  });
});

describe('formatUtc and formatTime', () => {
  it('name the same moment, in UTC and in the zone of the reader', () => {
    expect(formatUtc('2026-11-22T03:51:51.789Z')).toBe('2026-11-22 03:51:51 UTC');
    expect(formatTime(NOW)).toBe(new Date(NOW).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' }));
    expect(formatUtc('never')).toBe('unknown');
    expect(formatTime('never')).toBe('–');
  });
});

describe('formatRatio', () => {
  it.each([
    [null, '–'],
    [0.9684757, '0.968'],
    [1.0004, '1.000'],
    [1.3936, '1.394'],
    [2.346, '2.35'],
    [31.26, '31.3'],
    [4_000, '> 100'],
  ])('shows %s as %s', (ratio, text) => {
    expect(formatRatio(ratio)).toBe(text);
  });
});

import { describe, expect, it } from 'vitest';
import { historyPath, RANGES, type RangeKey, readRange, startOf } from './history-range.ts';

const NOW = Date.parse('2026-11-22T05:23:45.678Z');

describe('readRange', () => {
  it.each([
    ['7d', '7d'],
    ['1y', '1y'],
    [null, '24h'],
    ['2y', '24h'],
    ['__proto__', '24h'],
  ])('takes %s as %s', (text, range) => {
    expect(readRange(text)).toBe(range);
  });
});

describe('startOf', () => {
  it.each([
    ['24h', '2026-11-21T05:24:00.000Z'],
    ['7d', '2026-11-15T06:00:00.000Z'],
    ['90d', '2026-08-25T00:00:00.000Z'],
  ] as const)('begins %s at a whole step, so that the last step counts', (range, start) => {
    expect(new Date(startOf(range, NOW)).toISOString()).toBe(start);
  });

  it('asks for no more steps than one answer holds', () => {
    const most = { '1m': 24 * 60, '1h': 90 * 24, '1d': 36_600 };
    for (const range of Object.keys(RANGES) as RangeKey[]) {
      const { interval, stepSeconds } = RANGES[range];
      const steps = Math.floor(NOW / 1000 / stepSeconds) + 1 - startOf(range, NOW) / 1000 / stepSeconds;
      expect(steps).toBeLessThanOrEqual(most[interval]);
    }
  });
});

describe('historyPath', () => {
  it('stays the same within a step, so that going back to a range asks nothing', () => {
    expect(historyPath('A', '24h', NOW)).toBe(historyPath('A', '24h', NOW + 10_000));
    expect(historyPath('A', '24h', NOW)).not.toBe(historyPath('A', '24h', NOW + 20_000));
    expect(historyPath('A', '30d', NOW)).toMatch(
      /^\/v1\/banks\/A\/history\?interval=1h&start=2026-10-23T06:00:00.000Z&format=columns&fields=deposit_apy_pct,/,
    );
  });
});

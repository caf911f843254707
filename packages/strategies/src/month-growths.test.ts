import { describe, expect, it } from 'vitest';
import { monthGrowthsOf } from './month-growths.ts';

const ONE = 10n ** 18n;
const closes = (prices: Readonly<Record<number, bigint>>) =>
  Object.entries(prices).map(([day, priceE18]) => ({ day: Number(day), priceE18 }));

describe('monthGrowthsOf', () => {
  it('has the factor of 30 days for the day they begin on, and none where either end is missing', () => {
    const { firstDay, factors } = monthGrowthsOf(
      closes({ 102: 4n * ONE, 100: 2n * ONE, 130: 3n * ONE, 132: ONE, 131: 9n * ONE, 161: ONE }),
    );
    expect(firstDay).toBe(100);
    expect(factors).toHaveLength(32);
    expect([...factors.subarray(0, 3)]).toEqual([1.5, Number.NaN, 0.25]);
    expect(factors[31]).toBeCloseTo(1 / 9, 15);
    expect([...factors].filter((factor) => !Number.isNaN(factor))).toHaveLength(3);
  });

  it('takes a price of 0 or less for none', () => {
    expect([...monthGrowthsOf(closes({ 0: ONE, 30: 0n, 1: 0n, 31: ONE, 2: -ONE, 32: ONE })).factors]).toEqual([
      Number.NaN,
      Number.NaN,
      Number.NaN,
    ]);
  });

  it('knows no factor of days that span no month, of none at all, and of a price that lost all its digits', () => {
    expect(monthGrowthsOf(closes({ 5: ONE, 34: ONE })).factors).toHaveLength(0);
    expect(monthGrowthsOf([]).factors).toHaveLength(0);
    expect([...monthGrowthsOf(closes({ 0: 10n ** 60n, 30: 1n })).factors]).toEqual([Number.NaN]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leverageNumber } from './leverage-input.ts';

describe('leverageNumber', () => {
  it.each([
    [2, '2'],
    ['2.50', '2.5'],
    [1.000001, '1.000001'],
    [' 1.1 ', '1.1'],
    [0.1 + 1.1, '1.2'],
    ['999999999.999999', '999999999.999999'],
  ])('reads %j as %s', (given, text) => {
    expect(leverageNumber.parse(given)).toBe(text);
  });

  it.each([1, '1.0', 0.5, 0, -2, '1.0000001', Number.NaN, Infinity, '2x', '', true, 1e9])('refuses %j', (given) => {
    expect(leverageNumber.safeParse(given).success).toBe(false);
  });

  it('loses nothing of any number of hundredths', () => {
    fc.assert(
      fc.property(fc.integer({ min: 101, max: 100_000 }), (hundredths) => {
        const text = leverageNumber.parse(hundredths / 100);
        const [whole = '', decimals = ''] = text.split('.');
        expect(Number(whole + decimals.padEnd(2, '0'))).toBe(hundredths);
      }),
    );
  });
});

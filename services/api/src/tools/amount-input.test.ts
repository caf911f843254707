import { toUiAmount } from '@lending/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { askedAmount, tokenAmount } from './amount-input.ts';

const read = (value: unknown) => {
  const result = tokenAmount.safeParse(value);
  return result.success ? result.data : null;
};

describe('tokenAmount', () => {
  it.each([
    [1.5, '1.5'],
    [0.1, '0.1'],
    [1e-7, '0.0000001'],
    [1.25e-9, '0.00000000125'],
    [1e21, '1000000000000000000000'],
    [1.5e21, '1500000000000000000000'],
    [123456789012345, '123456789012345'],
    ['1.50', '1.5'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['007', '7'],
    [' 2 ', '2'],
    ['12345678901234567.123456789', '12345678901234567.123456789'],
    [0.1 + 0.2, '0.3'],
    [1.1 * 3, '3.3'],
    [10 / 3, '3.33333333333333'],
    [2 / 3, '0.666666666666667'],
    [1e-7 / 3, '0.0000000333333333333333'],
    [1234567890123456, '1234567890123460'],
  ])('reads %j as %s', (value, text) => {
    expect(read(value)).toBe(text);
  });

  it.each([
    0,
    -1,
    '0',
    '0.000',
    '-1',
    '+1',
    'NaN',
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '1e3',
    '1,5',
    '0x10',
    '.',
    'all',
    true,
    [1],
    { amount: 1 },
    '1'.repeat(61),
  ])('refuses %j', (value) => {
    expect(read(value)).toBeNull();
  });

  it('keeps what a number was, which text is not', () => {
    expect(askedAmount.parse(0.1 + 0.2)).toEqual({ text: '0.3', number: '0.30000000000000004' });
    expect(askedAmount.parse(1e21)).toEqual({ text: '1000000000000000000000', number: '1000000000000000000000' });
    expect(askedAmount.parse('0.30000000000000004')).toEqual({ text: '0.30000000000000004', number: null });
  });

  it('reads every number above 0 as one of 15 digits, half of the last apart at most', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-30, max: 1e30, noNaN: true }), (value) => {
        const text = read(value) ?? '';
        expect(text.replace('.', '').replace(/^0+|0+$/g, '').length).toBeLessThanOrEqual(15);
        expect(Math.abs(Number(text) / value - 1)).toBeLessThanOrEqual(5.1e-15);
      }),
    );
  });

  it('reads every number of few digits as exactly that number', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 999_999_999_999_999 }),
        fc.integer({ min: -15, max: 12 }),
        (digits, power) => {
          const text = toUiAmount(BigInt(digits) * 10n ** BigInt(power + 15), 15);
          expect(read(Number(`${digits}e${power}`))).toBe(text);
          expect(read(text)).toBe(text);
        },
      ),
    );
  });
});

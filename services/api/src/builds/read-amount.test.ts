import { describe, expect, it } from 'vitest';
import { readAmount, roundedAmount } from './read-amount.ts';

const USDC = { decimals: 6 };

describe('roundedAmount', () => {
  const warned = (amountNumber: string | undefined, amount: string) => {
    const asked = amountNumber === undefined ? { amount } : { amount, amountNumber };
    return roundedAmount(asked, readAmount(asked, USDC, 'svc_deposit'), USDC).map(({ code, message }) => [
      code,
      message,
    ]);
  };

  it('says what was taken where a number had more digits', () => {
    const rounded = (given: string, taken: string) => [
      ['AMOUNT_ROUNDED', expect.stringContaining(`amount ${given} was taken as ${taken}: `)],
    ];
    expect(warned('0.30000000000000004', '0.3')).toEqual(rounded('0.30000000000000004', '0.3'));
    expect(warned('0.6666666666666666', '0.666666666666667')).toEqual(rounded('0.6666666666666666', '0.666666'));
    expect(warned('1.2345678', '1.2345678')).toEqual(rounded('1.2345678', '1.234567'));
  });

  it('says nothing of a number that was taken as it is, of text, and of all there is', () => {
    expect(warned('1.5', '1.5')).toEqual([]);
    expect(warned('1000000', '1000000')).toEqual([]);
    expect(warned(undefined, '0.3')).toEqual([]);
    expect(roundedAmount({ amountNumber: '1' }, 'all', USDC)).toEqual([]);
  });
});

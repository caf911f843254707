import { toUiAmount } from '@lending/domain';
import { isLendingError } from '@lending/errors';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { isAddress } from './address-input.ts';
import { readAggregatorKeys } from './aggregator-keys.ts';
import { askedAmount, tokenAmount } from './amount-input.ts';
import { addressText, inputField, nameList, numberOrText, requiredField } from './input-field.ts';
import { leverageNumber } from './leverage-input.ts';
import { parseInput } from './parse-input.ts';

const schema = z.strictObject({
  bank: requiredField(addressText, 'Bank', 'an address'),
  symbol: inputField(z.string().max(5), 'Symbol', 'a symbol'),
  limit: inputField(numberOrText(z.int().min(1)), 'Limit', 'a whole number from 1'),
  usd: inputField(numberOrText(z.number().nonnegative()), 'USD', 'a number, 0 or more'),
  fields: inputField(nameList(['symbol', 'rates']), 'Fields', 'names'),
});
const bank = '11111111111111111111111111111111';

function failureOf(input: unknown): { readonly code: string; readonly message: string } {
  try {
    parseInput(schema, input, 'svc_test');
  } catch (error) {
    return error as { code: string; message: string };
  }
  throw new Error('the input was taken');
}

describe('parseInput', () => {
  it.each([
    [{ limit: 'abc' }, 'limit is not a finite number — allowed: a whole number from 1'],
    [{ limit: 'NaN' }, 'limit is not a finite number — allowed: a whole number from 1'],
    [{ limit: Number.NaN }, 'limit is not a finite number — allowed: a whole number from 1'],
    [{ limit: '1.5' }, 'limit is not a whole number — allowed: a whole number from 1'],
    [{ limit: true }, 'limit is not a finite number — allowed: a whole number from 1'],
    [{ limit: 0 }, 'limit has a value that is not allowed — allowed: a whole number from 1'],
    [{ usd: 'x' }, 'usd is not a finite number — allowed: a number, 0 or more'],
    [{ usd: '1e309' }, 'usd is not a finite number — allowed: a number, 0 or more'],
    [{ symbol: ['a', 'b'] }, 'symbol is not one text — allowed: a symbol'],
    [{ symbol: 5 }, 'symbol is not one text — allowed: a symbol'],
    [{ fields: [5] }, 'fields is not a list of names — allowed: names'],
    [{ bank: 5 }, 'bank is not one text — allowed: an address'],
    [{ bank: '' }, 'bank is missing — allowed: an address'],
    [{ bank: undefined }, 'bank is missing — allowed: an address'],
  ])('says of %j what is wrong, what is allowed and what to call', (given, words) => {
    expect(failureOf({ bank, ...given })).toMatchObject({
      code: 'TOOL__INPUT_INVALID',
      message: `${words} — correct it and call svc_test again`,
    });
  });

  it.each(['', null, 'x'])('refuses a field it does not know by name when its value is %j', (value) => {
    expect(failureOf({ bank, foo: value }).message).toContain('Unknown field "foo"');
  });

  it('takes empty values of its own fields as absent', () => {
    expect(parseInput(schema, { bank, symbol: '', limit: null, usd: ' 1'.trim() }, 'svc_test')).toEqual({
      bank,
      usd: 1,
    });
  });
});

const readAmount = (value: unknown) => {
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
    expect(readAmount(value)).toBe(text);
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
    expect(readAmount(value)).toBeNull();
  });

  it('keeps what a number was, which text is not', () => {
    expect(askedAmount.parse(0.1 + 0.2)).toEqual({ text: '0.3', number: '0.30000000000000004' });
    expect(askedAmount.parse(1e21)).toEqual({ text: '1000000000000000000000', number: '1000000000000000000000' });
    expect(askedAmount.parse('0.30000000000000004')).toEqual({ text: '0.30000000000000004', number: null });
  });

  it('reads every number above 0 as one of 15 digits, half of the last apart at most', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-30, max: 1e30, noNaN: true }), (value) => {
        const text = readAmount(value) ?? '';
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
          expect(readAmount(Number(`${digits}e${power}`))).toBe(text);
          expect(readAmount(text)).toBe(text);
        },
      ),
    );
  });
});

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

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** By long division, another way than the one that is tested. */
function toBase58(bytes: Uint8Array): string {
  let text = '';
  let value = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  while (value > 0n) {
    text = (ALPHABET[Number(value % 58n)] ?? '') + text;
    value /= 58n;
  }
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros === -1 ? bytes.length : zeros) + text;
}

const bytes = (length: number) =>
  fc.oneof(
    fc.uint8Array({ minLength: length, maxLength: length }),
    fc
      .nat({ max: length })
      .chain((zeros) =>
        fc
          .uint8Array({ minLength: length - zeros, maxLength: length - zeros })
          .map((rest) => Uint8Array.from([...new Uint8Array(zeros), ...rest])),
      ),
  );

describe('isAddress', () => {
  it('takes the base58 of any 32 bytes', () => {
    fc.assert(fc.property(bytes(32), (some) => isAddress(toBase58(some))));
  });

  it('takes that of no other length', () => {
    fc.assert(
      fc.property(
        fc
          .integer({ min: 0, max: 64 })
          .filter((length) => length !== 32)
          .chain(bytes),
        (some) => !isAddress(toBase58(some)),
      ),
    );
  });

  it('takes no letter that base58 lacks', () => {
    for (const letter of '0OIl +/=') expect(isAddress(`${'A'.repeat(42)}${letter}`)).toBe(false);
  });
});

const readKeys = (headers: Record<string, string>) => readAggregatorKeys((name) => headers[name], 'svc_loop');

describe('readAggregatorKeys', () => {
  it('reads each key from its header, and one from its other name', () => {
    expect(readKeys({})).toEqual({ jupiter: null, dflow: null });
    expect(readKeys({ 'x-aggregator1-api-key': 'one', 'x-aggregator2-api-key': ' two ' })).toEqual({
      jupiter: 'one',
      dflow: 'two',
    });
    expect(readKeys({ 'x-jupiter-api-key': 'alias', 'x-aggregator1-api-key': '' }).jupiter).toBe('alias');
    expect(readKeys({ 'x-jupiter-api-key': 'alias', 'x-aggregator1-api-key': 'one' }).jupiter).toBe('one');
  });

  it.each(['sk-secret, sk-secret', 'sk-sécret', 'k'.repeat(501), 'a\nb'])('refuses what is no key: %j', (value) => {
    try {
      readKeys({ 'x-aggregator2-api-key': value });
      expect.unreachable();
    } catch (error) {
      expect(isLendingError(error, 'TOOL__INPUT_INVALID')).toBe(true);
      expect(error).toMatchObject({ context: { field: 'x-aggregator2-api-key' } });
      expect(JSON.stringify({ ...(error as object), message: String(error) })).not.toContain(value);
    }
  });
});

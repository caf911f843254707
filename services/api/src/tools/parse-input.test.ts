import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { addressText, inputField, nameList, numberOrText, requiredField } from './input-field.ts';
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

import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import type { LeverageRequest } from '../build-request.ts';
import type { KnownPair } from './find-pair.ts';
import { readLeverage } from './read-leverage.ts';

const PAIR = {
  deposit: { address: 'deposit' as Address, decimals: 9 },
  borrow: { address: 'borrow' as Address, decimals: 6 },
} as KnownPair;

function read(fields: Partial<LeverageRequest>) {
  const request = { kind: 'loop', amount: '1', leverage: '2', surplus: 'wallet', ...fields } as LeverageRequest;
  return readLeverage(request, PAIR, 'svc_loop');
}

describe('a loop’s amounts', () => {
  it.each([
    ['1', '2', 2_000_000_000n],
    ['1.5', '1.1', 1_650_000_000n],
    ['0.1', '2.675', 267_500_000n],
    // Rounded down: never more than what was asked for.
    ['0.000000003', '1.5', 4n],
    ['1', '1.000001', 1_000_001_000n],
    ['2', '3.50', 7_000_000_000n],
  ])('are %s × %s', (amount, leverage, supplied) => {
    expect(read({ amount, leverage })).toMatchObject({ kind: 'loop', supplied });
  });

  it('are rounded down to units of the token where the amount is a number', () => {
    expect(read({ amount: '0.3333333333', amountNumber: '0.3333333333' })).toMatchObject({
      principal: 333_333_333n,
      supplied: 666_666_666n,
    });
  });

  it('keep the leverage as it was asked for', () => {
    expect(read({ leverage: '2.50' })).toMatchObject({ leverage: { numerator: 250n, denominator: 100n } });
  });

  it.each([
    ['leverage', { leverage: '1' }],
    ['leverage', { leverage: '0.99' }],
    ['leverage', { leverage: '2.0000001' }],
    ['leverage', { leverage: '2,5' }],
    ['leverage', { leverage: '1e3' }],
    ['leverage', { leverage: '9999999999' }],
    ['leverage', { leverage: null }],
    // Half a unit more than a unit is a unit.
    ['amount', { amount: '0.000000001', leverage: '1.5' }],
    ['amount', { amount: '1.0000000001' }],
    ['amount', { amount: '0' }],
  ] as const)('are refused by %s: %o', (field, fields) => {
    expect(() => read(fields)).toThrow(
      expect.objectContaining({ code: 'TOOL__INPUT_INVALID', context: expect.objectContaining({ field }) }),
    );
  });
});

describe('a close’s amount', () => {
  it('is counted in the debt’s token, or all of it', () => {
    expect(read({ kind: 'close_position', amount: '12.5', leverage: null })).toMatchObject({ repay: 12_500_000n });
    expect(read({ kind: 'close_position', amount: 'all', surplus: 'redeposit' })).toMatchObject({
      repay: 'all',
      surplus: 'redeposit',
    });
    expect(
      read({ kind: 'close_position', amount: '0.666666666666667', amountNumber: '0.6666666666666666', leverage: null }),
    ).toMatchObject({ repay: 666_666n });
    expect(() => read({ kind: 'close_position', amount: '0.0000001' })).toThrow('at most 6 decimals');
  });
});

import { address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import type { BuildDeps, KnownBank } from './build-deps.ts';
import type { ActionRequest } from './build-request.ts';
import { readAction } from './read-action.ts';
import { readAmount, roundedAmount } from './read-amount.ts';

const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const OWN: KnownBank = {
  address: address('2s37akK2eyBbp8DZgCm7RtsaEz8eJP3Nxd4urLHQv7yB'),
  symbol: 'USDC',
  venue: 'p0',
  mint: USDC,
  decimals: 6,
  isBorrowable: true,
  operationalState: 'Operational',
};
const KAMINO: KnownBank = {
  ...OWN,
  address: address('27Cpv49jQ3hav8zF3qZjp7T78ATdUTZN4m9x389Z8uH4'),
  venue: 'kamino',
  isBorrowable: false,
};
const DRIFT: KnownBank = {
  ...KAMINO,
  address: address('5GZmPEr6czroe3ax29D2FHyKuT64ixj5evB2NqWjUk1d'),
  venue: 'drift',
  operationalState: 'Suspended',
};

const deps = {
  tables: {
    findBank: async (wanted: string) => [OWN, KAMINO, DRIFT].find((bank) => bank.address === wanted) ?? null,
    findBanksLike: async () => [],
    listBorrowable: async (mint: string) => [OWN].filter((bank) => bank.mint === mint),
    accountsOf: async () => ({ accounts: [], isComplete: true }),
    banksOfAccount: async () => null,
  },
  chain: {
    fetchAccounts: async (addresses: readonly string[]) => [
      { slot: 1n, addresses, accounts: addresses.map(() => null) },
    ],
  },
} as unknown as BuildDeps;

function ask(kind: ActionRequest['kind'], bank: KnownBank, amount: string | null, amountNumber?: string) {
  const request = { kind, bank: bank.address, amount, ...(amountNumber && { amountNumber }) } as ActionRequest;
  return readAction(deps, request, `svc_${kind}`);
}

describe('readAction', () => {
  it('reads tokens as base units, to the last one', async () => {
    expect(await ask('deposit', OWN, '0.000001')).toMatchObject({ action: { amount: 1n }, waves: 0 });
    expect(await ask('withdraw', OWN, 'all')).toMatchObject({ action: { amount: 'all' } });
    expect(await ask('create_account', OWN, null)).toBeNull();
  });

  it('takes more than the program can count for as much as it can count, which is refused as too much', async () => {
    expect(await ask('borrow', OWN, '1000000000000000000000')).toMatchObject({ action: { amount: 2n ** 64n - 1n } });
  });

  it('rounds a number down to units of the token, and text not at all', async () => {
    expect(await ask('deposit', OWN, '1.23456789', '1.23456789')).toMatchObject({ action: { amount: 1_234_567n } });
    expect(await ask('deposit', OWN, '0.666666666666667', '0.6666666666666666')).toMatchObject({
      action: { amount: 666_666n },
    });
    expect(await ask('deposit', OWN, `1${'0'.repeat(300)}`, `1${'0'.repeat(300)}`)).toMatchObject({
      action: { amount: 2n ** 64n - 1n },
    });
    await expect(ask('deposit', OWN, '1.23456789')).rejects.toThrow('more decimals');
    await expect(ask('deposit', OWN, '0.0000009', '0.0000009')).rejects.toThrow('at least 0.000001 tokens');
  });

  it.each([
    ['0.0000001', 'more decimals'],
    ['0', 'less than a unit'],
    ['-1', 'less than a unit'],
  ])('refuses %s naming the field', async (amount, wrong) => {
    await expect(ask('deposit', OWN, amount)).rejects.toMatchObject({
      code: 'TOOL__INPUT_INVALID',
      message: expect.stringContaining(wrong),
      context: { field: 'amount' },
    });
  });

  it('names the banks that lend the same token where this one does not', async () => {
    await expect(ask('borrow', KAMINO, '1')).rejects.toMatchObject({
      code: 'ACTION__BORROW_UNSUPPORTED',
      context: { venue: 'Kamino', banks: [{ bank: OWN.address, symbol: 'USDC', venue: 'P0' }] },
    });
  });

  it('refuses a bank behind a suspended venue, and one that neither tables nor chain have', async () => {
    await expect(ask('withdraw', DRIFT, '1')).rejects.toMatchObject({
      code: 'ACTION__BANK_UNAVAILABLE',
      context: { state: 'Suspended' },
    });
    const nowhere = { ...OWN, address: address('So11111111111111111111111111111111111111112') };
    await expect(ask('deposit', nowhere, '1')).rejects.toMatchObject({ code: 'READ__BANK_NOT_FOUND' });
  });
});

const SIX_DECIMALS = { decimals: 6 };

describe('roundedAmount', () => {
  const warned = (amountNumber: string | undefined, amount: string) => {
    const asked = amountNumber === undefined ? { amount } : { amount, amountNumber };
    return roundedAmount(asked, readAmount(asked, SIX_DECIMALS, 'svc_deposit'), SIX_DECIMALS).map(
      ({ code, message }) => [code, message],
    );
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
    expect(roundedAmount({ amountNumber: '1' }, 'all', SIX_DECIMALS)).toEqual([]);
  });
});

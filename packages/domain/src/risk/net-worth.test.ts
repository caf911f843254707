import { describe, expect, it } from 'vitest';
import { integerToI80F48 } from '../i80f48.ts';
import { amountOf, netWorthOf, worthOf } from './net-worth.ts';
import { collateral, debt, madeBank, madePrice } from './testing/made-balances.ts';

const failed = { kind: 'failed', error: 'PythPushStalePrice' } as const;
const usd = integerToI80F48;

describe('amountOf', () => {
  it('reads the shares of its own side', () => {
    const shares = { ...madeBank().shares, assetShareValue: usd(2n), liabilityShareValue: usd(3n) };
    const bank = { ...madeBank(), shares };
    const balance = { bank, price: failed, assetShares: usd(5n), liabilityShares: 0n, premium: 0n };
    expect(amountOf(balance)).toBe(usd(10n));
    const owed = { ...balance, assetShares: 0n, liabilityShares: usd(5n) };
    expect(amountOf(owed)).toBe(usd(15n));
    expect(amountOf({ ...owed, premium: usd(2n) })).toBe(usd(17n));
  });

  it('is zero for dust and null where it does not fit', () => {
    expect(amountOf({ ...collateral('1'), assetShares: 1n })).toBe(0n);
    const shares = { ...madeBank().shares, assetShareValue: 2n ** 100n };
    expect(amountOf({ ...collateral('1', { shares }), assetShares: 2n ** 100n })).toBeNull();
  });
});

describe('worthOf', () => {
  it('takes the price of the moment without bias', () => {
    expect(worthOf(collateral('3', { price: '5', interval: '1', emaPrice: '7' }), usd(3_000_000n))).toBe(usd(15n));
  });

  it('is zero for nothing, even without a price', () => {
    expect(worthOf({ ...collateral('3'), price: failed }, 0n)).toBe(0n);
  });

  it('is null without a price, an amount, or a number that fits', () => {
    expect(worthOf({ ...collateral('3'), price: failed }, usd(1n))).toBeNull();
    expect(worthOf(collateral('3'), null)).toBeNull();
    expect(worthOf({ ...collateral('3'), price: madePrice('1000000') }, 2n ** 126n)).toBeNull();
    expect(worthOf(collateral('3', { decimals: 24 }), usd(1n))).toBeNull();
  });
});

describe('netWorthOf', () => {
  it('has no leverage without equity, and no loan to value without assets', () => {
    expect(netWorthOf([collateral('1'), debt('1')], [usd(7n), usd(7n)])).toMatchObject({ equity: 0n, leverage: null });
    expect(netWorthOf([], [])).toEqual({ assets: 0n, liabilities: 0n, equity: 0n, leverage: null, loanToValue: null });
    expect(netWorthOf([debt('1')], [usd(7n)])).toMatchObject({ equity: -usd(7n), leverage: null, loanToValue: null });
  });

  it('is unknown where a part of it is', () => {
    expect(netWorthOf([collateral('1'), debt('1')], [usd(7n), null])).toBeNull();
  });
});

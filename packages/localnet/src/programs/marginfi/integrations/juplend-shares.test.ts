import { describe, expect, it } from 'vitest';
import { sharesForDeposit, sharesForWithdrawal, tokensForRedeem } from './juplend-shares.ts';

const ONE = 10n ** 12n;

describe('sharesForDeposit', () => {
  it.each([
    ['one to one', 50_000_000n, ONE, ONE, 50_000_000n],
    ['a dearer fToken, rounded down', 100n, ONE, (11n * ONE) / 10n, 90n],
    ['a cheaper one', 100n, ONE, (9n * ONE) / 10n, 111n],
    ['what the liquidity layer rounds away first', 1n, (11n * ONE) / 10n, ONE, 0n],
    ['both roundings', 1_000_003n, 1_034_567_890_123n, 1_045_678_901_234n, 956_318n],
  ])('gives %s', (_what, amount, liquidityExchangePrice, tokenExchangePrice, shares) => {
    expect(sharesForDeposit(amount, { liquidityExchangePrice, tokenExchangePrice })).toBe(shares);
  });

  it('gives none without prices, nor more than fit', () => {
    expect(sharesForDeposit(1n, { liquidityExchangePrice: 0n, tokenExchangePrice: ONE })).toBeNull();
    expect(sharesForDeposit(1n, { liquidityExchangePrice: ONE, tokenExchangePrice: 0n })).toBeNull();
    const most = 2n ** 64n - 1n;
    expect(sharesForDeposit(most, { liquidityExchangePrice: ONE, tokenExchangePrice: ONE })).toBe(most);
    expect(sharesForDeposit(most, { liquidityExchangePrice: ONE, tokenExchangePrice: ONE - 1n })).toBeNull();
  });
});

describe('sharesForWithdrawal', () => {
  it.each([
    [100n, (11n * ONE) / 10n, 91n],
    [100n, ONE, 100n],
    [1n, 4n * ONE, 1n],
    [0n, 4n * ONE, 0n],
  ])('burns for %d at %d, rounded up, %d', (amount, price, shares) => {
    expect(sharesForWithdrawal(amount, price)).toBe(shares);
  });

  it('burns none without a price', () => {
    expect(sharesForWithdrawal(1n, 0n)).toBeNull();
  });
});

describe('tokensForRedeem', () => {
  it.each([
    [100n, (11n * ONE) / 10n, 110n],
    [5n, 1_300_000_000_001n, 6n],
    [1n, ONE / 2n, 0n],
  ])('pays for %d at %d, rounded down, %d', (shares, price, tokens) => {
    expect(tokensForRedeem(shares, price)).toBe(tokens);
  });

  it('pays nothing without a price', () => {
    expect(tokensForRedeem(1n, 0n)).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import { accrueJuplendTokenPrice, juplendAssetsOf, juplendSharesBurnt, juplendSharesMinted } from './exchange-rate.ts';
import { JUPLEND_UPDATED, madeLendingFields, madeRewards } from './testing/made-reserve.ts';

const LIQUIDITY_PRICE = 1_030_000_619_184n;
const TOKEN_PRICE = 1_045_000_000_000n;

describe('shares of an Earn pool', () => {
  it('turns a deposit into fTokens and back, rounding against the depositor', () => {
    const raw = (1_000_000_000n * 10n ** 12n) / LIQUIDITY_PRICE;
    expect(raw).toBe(970_873_202n);
    expect((raw * LIQUIDITY_PRICE) / 10n ** 12n).toBe(999_999_999n);
    expect(juplendSharesMinted(raw, LIQUIDITY_PRICE, TOKEN_PRICE)).toBe(956_937_798n);
    expect(juplendAssetsOf(956_937_798n, TOKEN_PRICE)).toBe(999_999_998n);
    expect(juplendAssetsOf(956_937_798n, TOKEN_PRICE, 'up')).toBe(999_999_999n);
    expect(juplendSharesBurnt(1_000_000_000n, TOKEN_PRICE)).toBe(956_937_800n);
  });
});

describe('accrueJuplendTokenPrice', () => {
  const lending = madeLendingFields();
  const pool = { lending, rewards: null, fTokenSupply: 64_000_000_000_000n };
  const later = JUPLEND_UPDATED + 3_600n;

  it('grows as the liquidity layer’s price does', () => {
    // 3,908,831 ÷ 1,029,996,710,353 with 14 decimals is 379,499,367.
    expect(accrueJuplendTokenPrice(pool, LIQUIDITY_PRICE, later)).toBe(
      TOKEN_PRICE + (TOKEN_PRICE * 379_499_367n) / 10n ** 14n,
    );
  });

  it('adds rewards to it', () => {
    const rewards = madeRewards({ startTime: 1n, duration: 10n ** 12n, yearlyReward: 2_000_000_000_000n });
    const small = { ...pool, rewards, lending: { ...lending, tokenExchangePrice: 10n ** 12n } };
    const rewardsReturn = (3_125_000_000_000n * 3_600n) / 31_536_000n;
    expect(accrueJuplendTokenPrice(small, LIQUIDITY_PRICE, later)).toBe(
      10n ** 12n + (10n ** 12n * (379_499_367n + rewardsReturn)) / 10n ** 14n,
    );
  });

  it('refuses a liquidity price that fell', () => {
    expect(() => accrueJuplendTokenPrice(pool, lending.liquidityExchangePrice - 1n, later)).toThrow(
      'FTokenLiquidityExchangePriceUnexpected',
    );
  });
});

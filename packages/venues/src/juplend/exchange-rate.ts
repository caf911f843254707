import type { JuplendLending, JuplendRewardsRateModel } from '@lending/programs';
import { PRICE_ONE } from './accrual.ts';
import { castTo, divide, divideUp, refuse, u128 } from './checked.ts';
import { juplendRewardPhases, juplendRewardsReturn, juplendTotalAssets, REWARD_RATE_ONE } from './rewards.ts';

/** What stands behind the price of an fToken at one moment. */
export interface JuplendPool {
  readonly lending: JuplendLending;
  /** Null where the pool has none. */
  readonly rewards: JuplendRewardsRateModel | null;
  /** fTokens in existence. */
  readonly fTokenSupply: bigint;
}

/**
 * Underlying per fToken as an update at `unixTimestamp` would write it, scaled by 10^12: it grows with the liquidity layer's supply
 * price and with rewards.
 * @param liquidityPrice the supply price of the mint at that moment.
 * @throws DECODE__VALUE_OUT_OF_RANGE where the program fails.
 * @see fluid-solana-programs programs/lending/src/utils/helpers.rs `calculate_new_token_exchange_price`
 */
export function accrueJuplendTokenPrice(
  { lending, rewards, fTokenSupply }: JuplendPool,
  liquidityPrice: bigint,
  unixTimestamp: bigint,
): bigint {
  const { tokenExchangePrice: before, liquidityExchangePrice } = lending;
  if (liquidityPrice < liquidityExchangePrice) refuse('FTokenLiquidityExchangePriceUnexpected');
  const totalAssets = juplendTotalAssets(before, fTokenSupply);
  const phases =
    rewards === null ? { current: null, next: null } : juplendRewardPhases(rewards, totalAssets, unixTimestamp);
  const rewardsReturn = juplendRewardsReturn(phases, lending.lastUpdateTimestamp, unixTimestamp);
  const gained = (liquidityPrice - liquidityExchangePrice) * REWARD_RATE_ONE;
  const liquidityReturn = divide(gained, liquidityExchangePrice);
  const growth = castTo(64, u128(before * (rewardsReturn + liquidityReturn)) / REWARD_RATE_ONE);
  const price = before + growth;
  return price >> 64n === 0n ? price : refuse('LibraryMathError');
}

/**
 * fTokens for a deposit: what the liquidity layer credits of it, rounded down twice, at the fToken's price.
 * @throws DECODE__VALUE_OUT_OF_RANGE
 */
export function juplendSharesMinted(registeredRaw: bigint, liquidityPrice: bigint, tokenPrice: bigint): bigint {
  const registered = u128(registeredRaw * liquidityPrice) / PRICE_ONE;
  return castTo(64, divide(u128(registered * PRICE_ONE), tokenPrice));
}

/** fTokens burnt for a withdrawal of `assets`, rounded up. @throws DECODE__VALUE_OUT_OF_RANGE */
export function juplendSharesBurnt(assets: bigint, tokenPrice: bigint): bigint {
  return castTo(64, divideUp(u128(assets * PRICE_ONE), tokenPrice));
}

/** Underlying that `shares` fTokens are worth, rounded down, or up for what a mint costs. @throws DECODE__VALUE_OUT_OF_RANGE */
export function juplendAssetsOf(shares: bigint, tokenPrice: bigint, rounding: 'down' | 'up' = 'down'): bigint {
  const scaled = shares * tokenPrice;
  return castTo(64, rounding === 'up' ? divideUp(scaled, PRICE_ONE) : scaled / PRICE_ONE);
}

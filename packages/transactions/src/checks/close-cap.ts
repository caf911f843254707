import type { LendingError } from '@lending/errors';
import { priceSourcesOf } from '@lending/venues';
import type { LeverageState } from '#live/leverage-state.ts';
import { tokenPriceOf } from '#sizing/fair-trade.ts';
import type { PriceOptions } from './prices-to-come.ts';
import { refusalOf, tokenName, tokensOf } from './refusal.ts';

/** What one call may repay at the unbiased price of the moment, whole USD: exactly that much passes. */
export const MAX_REPAY_USD = 250_000n;
const PRICE_ONE = 10n ** 18n;

/** The same in base units of the debt. */
export function capBase(state: LeverageState, options: PriceOptions): bigint {
  return maxBaseAt(priceOf(state, options), state.debt.live.mint.decimals);
}

/** The same of a token with so many decimals, at so many USD of 18 decimals for one. */
export function maxBaseAt(price: bigint, decimals: number): bigint {
  return (MAX_REPAY_USD * PRICE_ONE * 10n ** BigInt(decimals)) / price;
}

/** The price may rise, and the debt grows, while one call follows another. */
const ROOM_PERCENT = 2n;

/** A repayment in about equal parts, each of which one call repays: base units. One part where one call repays all of it. */
export function partsOf(repaidBase: bigint, maxBase: bigint): readonly bigint[] {
  if (repaidBase <= maxBase) return [repaidBase];
  const most = (maxBase * (100n - ROOM_PERCENT)) / 100n;
  if (most <= 0n) return [];
  const count = (repaidBase + most - 1n) / most;
  const part = repaidBase / count;
  const others = Array.from({ length: Number(count) - 1 }, () => part);
  return [...others, repaidBase - part * (count - 1n)];
}

/** Why one call does not repay so much of the debt; null where it does. */
export function capRefusal(state: LeverageState, repaidBase: bigint, options: PriceOptions): LendingError | null {
  const maxBase = capBase(state, options);
  if (repaidBase <= maxBase) return null;
  const { live } = state.debt;
  const max = tokensOf(live, maxBase);
  const repaid = tokensOf(live, repaidBase);
  return refusalOf(
    {
      code: 'ACTION__REPAY_EXCEEDED',
      problem: `The debt to be repaid is worth more than one call repays, ${MAX_REPAY_USD} USD`,
      change: 'Repay it in parts: make the calls of details.calls, one after the other',
    },
    `at most ${max.ui} ${tokenName(live)} a call (details.max_repay)`,
    {
      ...{ max_repay: max.ui, max_repay_raw: max.raw, cap_usd: Number(MAX_REPAY_USD) },
      ...{ repay: repaid.ui, repay_raw: repaid.raw },
      ...{ bank: live.bank.address, mint: live.bank.mint },
    },
  );
}

/** USD of one token, 18 decimals: what a crank will write, or what the oracle says. */
function priceOf({ debt, accounts }: LeverageState, { crankedPrices }: PriceOptions): bigint {
  const feed = priceSourcesOf(debt.live.bank).find(({ refreshedBy }) => refreshedBy === 'crank');
  const cranked = feed === undefined ? undefined : crankedPrices?.get(feed.account);
  return cranked !== undefined && cranked > 0n ? cranked : tokenPriceOf(debt.live, accounts);
}

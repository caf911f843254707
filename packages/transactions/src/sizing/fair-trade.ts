import { parseFraction } from '@lending/domain';
import { LendingError } from '@lending/errors';
import { oracleAccountsOf, readPrice } from '@lending/venues';
import type { LiveBank } from '#live/action-state.ts';
import type { LiveAccounts } from '#live/live-accounts.ts';
import { momentOf } from '#live/read-banks.ts';

/** What amounts of one token are worth in another where a trade costs nothing, base units of both. */
export interface FairTrade {
  /** Rounded down. */
  outFor(inBase: bigint): bigint;
  /** Rounded up. */
  inFor(outBase: bigint): bigint;
}

/**
 * A trade between the tokens of two banks at the middle of what their oracles say now, out of date or not: quotes are measured by it, and
 * whether the program takes the prices is another question.
 * @throws ORACLE__PRICE_STALE naming the bank that has no price at all.
 */
export function fairTradeOf(from: LiveBank, to: LiveBank, accounts: LiveAccounts): FairTrade {
  const given = tokenPriceOf(from, accounts) * 10n ** BigInt(to.mint.decimals);
  const taken = tokenPriceOf(to, accounts) * 10n ** BigInt(from.mint.decimals);
  return {
    outFor: (inBase) => (inBase * given) / taken,
    inFor: (outBase) => (outBase * taken + given - 1n) / given,
  };
}

/**
 * USD of one token of the bank's mint, 18 decimals, the middle of its oracle's spot price.
 * @throws ORACLE__PRICE_STALE where there is none.
 */
export function tokenPriceOf({ bank }: LiveBank, accounts: LiveAccounts): bigint {
  const oracle = oracleAccountsOf(bank).map((address) => accounts.get(address) ?? null);
  const reading = readPrice(bank, oracle, momentOf(accounts));
  const price = reading.kind === 'priced' ? parseFraction(reading.priceUsd) : 0n;
  if (price > 0n) return price;
  throw new LendingError('ORACLE__PRICE_STALE', {
    message: `The oracle of bank ${bank.address} has no price that a swap could be measured by — allowed: banks with a price — choose another bank, or call again once svc_get_banks shows a price_usd`,
    context: { bank: bank.address, reason: reading.kind === 'priced' ? 'price_not_positive' : reading.reason },
  });
}

import { findSwapPool, swapPoolLayout } from '#programs/swap/swap-pool.ts';
import { DEMO_FEEDS, type DemoFeed, type DemoFeedName } from './feeds.ts';
import type { MarketLedger } from './market-ledger.ts';
import { oracleAccount } from './oracle-accounts.ts';
import { priceAt } from './price-walk.ts';
import { DEMO_POOLS } from './swap-pools.ts';
import { DEMO_TOKENS, type DemoTokenName } from './tokens.ts';

export const FEED_NAMES = Object.keys(DEMO_FEEDS) as readonly DemoFeedName[];

/** The feeds that nobody pushes: each is as old as its last crank. */
export const ON_DEMAND_FEEDS: readonly DemoFeedName[] = FEED_NAMES.filter((name) => {
  const feed: DemoFeed = DEMO_FEEDS[name];
  return feed.kind === 'switchboard' && !feed.isPushed;
});

/** Each feed publishes once in so many slots: every two seconds at 400 ms. */
export const PUBLISH_EVERY_SLOTS = 5n;

/** Publishes the prices of a slot: the feeds whose turn it is, or all of them. */
export function movePrices(
  ledger: MarketLedger,
  slot: bigint,
  options: { readonly seed: number; readonly all: boolean; readonly except: ReadonlySet<DemoFeedName> },
): void {
  const due = FEED_NAMES.filter(
    (name, index) => !options.except.has(name) && (options.all || (slot + BigInt(index)) % PUBLISH_EVERY_SLOTS === 0n),
  );
  const at = { slot, unixTimestamp: ledger.unixTimestamp };
  ledger.writeAccounts(
    due.map((name) => {
      const feed = DEMO_FEEDS[name];
      return [feed.account, oracleAccount(name, feed, priceAt(name, options.seed, slot), at)];
    }),
  );
}

const PRICE_DECIMALS = 18;

/**
 * Lets the pools of these feeds trade at what the feeds would state in a slot, though nobody pushes them: markets go on, and whoever
 * cranks a feed finds it where they are.
 */
export function movePools(
  ledger: MarketLedger,
  slot: bigint,
  { seed, feeds }: { readonly seed: number; readonly feeds: readonly DemoFeedName[] },
): void {
  const names = (Object.keys(DEMO_POOLS) as DemoTokenName[]).filter((name) => feeds.includes(DEMO_POOLS[name].feed));
  ledger.writeAccounts(
    names.flatMap((name) => {
      const { feed } = DEMO_POOLS[name];
      const address = findSwapPool(DEMO_TOKENS[name].mint).address;
      const account = ledger.account(address);
      if (account === undefined) return [];
      const lastPriceE18 = priceAt(feed, seed, slot).price * 10n ** BigInt(PRICE_DECIMALS + DEMO_FEEDS[feed].exponent);
      const pool = { ...swapPoolLayout.decode(account.data), lastPriceE18, lastPriceTime: ledger.unixTimestamp };
      return [[address, { ...account, data: Uint8Array.from(swapPoolLayout.encode(pool)) }]];
    }),
  );
}

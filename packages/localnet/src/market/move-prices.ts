import { DEMO_FEEDS, type DemoFeed, type DemoFeedName } from './feeds.ts';
import type { MarketLedger } from './market-ledger.ts';
import { oracleAccount } from './oracle-accounts.ts';
import { priceAt } from './price-walk.ts';

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

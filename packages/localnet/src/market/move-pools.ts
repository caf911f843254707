import { findSwapPool, swapPoolLayout } from '#programs/swap/swap-pool.ts';
import { DEMO_FEEDS, type DemoFeedName } from './feeds.ts';
import type { MarketLedger } from './market-ledger.ts';
import { priceAt } from './price-walk.ts';
import { DEMO_POOLS } from './swap-pools.ts';
import { DEMO_TOKENS, type DemoTokenName } from './tokens.ts';

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

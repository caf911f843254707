import type { ProgramErrorName } from '@lending/domain';
import type { Address } from '@solana/kit';
import type { TokenRateAccount } from '../token-rates/token-rate.ts';
import type { VenueRateAccount } from '../venue-rate.ts';
import type { P0Account } from './account.ts';
import type { P0Bank } from './bank.ts';
import type { LoadedOracle } from './load-oracle.ts';
import { type FeedKind, hasFeed, shapeOfSetup, tokenRateKey } from './oracle-setups.ts';

/**
 * An account that a price is read from and that goes out of date, and who can bring it up to date: sponsors keep the feeds of Pyth and
 * Scope and the stake pools fresh, and others need not; anybody may crank a feed of Switchboard; a venue's account is
 * refreshed by an instruction in the same transaction.
 */
export interface PriceSource {
  readonly account: Address;
  readonly what: `${FeedKind}_feed` | VenueRateAccount | TokenRateAccount;
  readonly refreshedBy: 'sponsor' | 'crank' | 'instruction';
}

/** A balance whose price the program would not take now, and what would have to be refreshed. */
export interface StalePrice {
  readonly bank: Address;
  readonly error: ProgramErrorName;
  readonly sources: readonly PriceSource[];
}

/** What a bank's price is read from that goes out of date, the feed first. Empty for a price set by hand. */
export function priceSourcesOf(bank: P0Bank): readonly PriceSource[] {
  const { keys } = bank.oracle;
  const [feed, venueAccount] = keys as [Address, Address];
  const shape = shapeOfSetup(bank.oracle.setup);
  switch (shape.kind) {
    case 'unusable':
      return [];
    case 'staked':
      return [feedSource(feed, 'pyth')];
    case 'price': {
      const { base, venue, token } = shape;
      const sources: PriceSource[] = hasFeed(base) ? [feedSource(feed, base)] : [];
      if (venue !== null) sources.push({ account: venueAccount, what: venue.account, refreshedBy: 'instruction' });
      if (token?.canBeStale === true)
        sources.push({ account: keys[tokenRateKey(shape)] as Address, what: token.account, refreshedBy: 'sponsor' });
      return sources;
    }
  }
}

/** Whether a bank's price comes from a feed that someone has to crank. */
export function needsCrank(bank: P0Bank): boolean {
  return priceSourcesOf(bank).some((source) => source.refreshedBy === 'crank');
}

/**
 * The balances of an account whose price is out of date, in their order.
 * @param oracles what `loadOracle` gave for each bank at the moment asked about; a bank that is missing there is left out.
 */
export function findStalePrices(
  account: Pick<P0Account, 'balances'>,
  oracles: ReadonlyMap<Address, { readonly bank: P0Bank; readonly loaded: LoadedOracle }>,
): readonly StalePrice[] {
  return account.balances.flatMap(({ bank: address }) => {
    const oracle = oracles.get(address);
    if (oracle?.loaded.kind !== 'loaded' || oracle.loaded.staleError === null) return [];
    return [{ bank: address, error: oracle.loaded.staleError, sources: staleSourcesOf(oracle.bank, oracle.loaded) }];
  });
}

/** What makes a bank's price a stale one. */
export function staleSourcesOf(bank: P0Bank, loaded: LoadedOracle): readonly PriceSource[] {
  if (loaded.kind === 'refused') return [];
  const { isFeedStale, isVenueStale, isTokenRateStale } = loaded;
  return priceSourcesOf(bank).filter(({ what, refreshedBy }) => {
    if (what === 'stake_pool') return isTokenRateStale;
    return refreshedBy === 'instruction' ? isVenueStale : isFeedStale;
  });
}

function feedSource(account: Address, kind: FeedKind): PriceSource {
  return { account, what: `${kind}_feed`, refreshedBy: kind === 'switchboard' ? 'crank' : 'sponsor' };
}

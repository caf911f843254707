import type { ProgramErrorName } from '@lending/domain';
import type { Address } from '@solana/kit';
import type { VenueRateAccount } from '../venue-rate.ts';
import type { P0Account } from './account.ts';
import type { P0Bank } from './bank.ts';
import type { LoadedOracle } from './load-oracle.ts';
import { shapeOfSetup } from './oracle-setups.ts';

/**
 * An account that a price is read from and that goes out of date, and who can bring it up to date: Pyth's sponsors push their feeds
 * and nobody else needs to; a Switchboard feed is cranked by whoever wants it fresh; a venue's account is refreshed by an instruction
 * in the same transaction.
 */
export interface PriceSource {
  readonly account: Address;
  readonly what: 'pyth_feed' | 'switchboard_feed' | VenueRateAccount;
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
  const [feed, venueAccount] = bank.oracle.keys as [Address, Address];
  const shape = shapeOfSetup(bank.oracle.setup);
  switch (shape.kind) {
    case 'unusable':
      return [];
    case 'staked':
      return [pythFeed(feed)];
    case 'fixed':
      return shape.rate === null ? [] : [venueSource(venueAccount, shape.rate.account)];
    case 'feed': {
      const source = shape.feed === 'pyth' ? pythFeed(feed) : switchboardFeed(feed);
      return shape.rate === null ? [source] : [source, venueSource(venueAccount, shape.rate.account)];
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
    const { isFeedStale, isVenueStale, staleError: error } = oracle.loaded;
    const isStale = ({ refreshedBy }: PriceSource) => (refreshedBy === 'instruction' ? isVenueStale : isFeedStale);
    return [{ bank: address, error, sources: priceSourcesOf(oracle.bank).filter(isStale) }];
  });
}

function pythFeed(account: Address): PriceSource {
  return { account, what: 'pyth_feed', refreshedBy: 'sponsor' };
}

function switchboardFeed(account: Address): PriceSource {
  return { account, what: 'switchboard_feed', refreshedBy: 'crank' };
}

function venueSource(account: Address, what: VenueRateAccount): PriceSource {
  return { account, what, refreshedBy: 'instruction' };
}

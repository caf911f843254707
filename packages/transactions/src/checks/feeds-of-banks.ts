import { priceSourcesOf } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { LiveBank } from '#live/action-state.ts';

/** The Switchboard feeds that price these banks. */
export function feedsOf(addresses: readonly Address[], banks: ReadonlyMap<Address, LiveBank>): readonly Address[] {
  return addresses.flatMap((address) => {
    const live = banks.get(address);
    const feed = live === undefined ? null : switchboardFeedOf(live);
    return feed === null ? [] : [feed];
  });
}

/** The Switchboard feed that prices a bank; null where something else does. */
export function switchboardFeedOf({ bank }: Pick<LiveBank, 'bank'>): Address | null {
  return priceSourcesOf(bank).find(({ refreshedBy }) => refreshedBy === 'crank')?.account ?? null;
}

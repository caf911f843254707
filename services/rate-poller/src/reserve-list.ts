import type { Chain } from '@lending/chain';
import type { ReserveKeys, VenueAdapter } from '@lending/venues';
import type { Address } from '@solana/kit';
import { type AgingList, createAgingList } from './aging-list.ts';
import { toListAccounts } from './list-accounts.ts';

export interface ReserveListOptions {
  readonly chain: Chain;
  readonly adapter: VenueAdapter;
  /** How old the list may get before the venue is searched again, in milliseconds. */
  readonly maxAgeMs: number;
  /** A reserve that cannot be read. It is left out; its neighbours are not. */
  readonly onReject: (reserve: Address, error: unknown) => void;
  /** Told how every search went: null when it succeeded. */
  readonly onSearch: (error: unknown) => void;
}

/** The reserves of one venue, with the accounts that a reading of each asks for. A venue may have none on this chain. */
export function createReserveList(options: ReserveListOptions): AgingList<ReserveKeys> {
  const { chain, adapter, maxAgeMs, onReject, onSearch } = options;
  const search = (signal: AbortSignal) => adapter.discover(toListAccounts(chain, signal), onReject);
  return createAgingList({ search, maxAgeMs, onSearch });
}

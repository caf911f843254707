import type { VenueOnWire } from '@lending/domain';
import type { ReserveCoverage } from '#records/reply-fields.ts';
import type { Reserve } from '#records/reserve-fields.ts';
import { compareSortKeys, type PoolSort, type SortKey, sortKeyOf } from './pool-order.ts';
import type { ReserveEntry, ReserveSnapshot } from './reserve-snapshot.ts';
import { venueOf } from './venue-of.ts';

export interface ReserveFilter {
  readonly venue?: VenueOnWire | undefined;
  readonly mint?: string | undefined;
  readonly symbol?: string | undefined;
  readonly market?: string | undefined;
  /** Whether a P0 bank lends through it. */
  readonly reached?: boolean | undefined;
}

export interface ReservePageRequest {
  readonly filter: ReserveFilter;
  readonly sort: PoolSort;
  readonly limit: number;
  /** The place after which the page begins; null for the first page. */
  readonly after: SortKey | null;
}

export interface ReservePage {
  readonly entries: readonly ReserveEntry[];
  /** Whether more follow after the last entry. */
  readonly hasMore: boolean;
  readonly skipped: ReserveCoverage['reserves_skipped'];
}

/** One page of the reserves that match; it begins after a place in the order, as a page of banks does. */
export function listReserves(snapshot: ReserveSnapshot, request: ReservePageRequest): ReservePage {
  const { filter, sort, after } = request;
  const matching = [...snapshot.entries.values()]
    .filter(({ record }) => matches(record, filter))
    .map((entry) => ({ entry, key: sortKeyOf(entry.record, sort) }))
    .sort((a, b) => compareSortKeys(a.key, b.key, sort));
  const rest = after === null ? matching : matching.filter(({ key }) => compareSortKeys(key, after, sort) > 0);
  const page = rest.slice(0, request.limit);
  // A venue of which nothing was ever sampled is named as a whole.
  const unsampled = matching.filter(
    ({ entry }) => !entry.isSampled && (snapshot.venues.get(venueOf(entry.record.venue)) ?? null) !== null,
  );
  return {
    entries: page.map(({ entry }) => entry),
    hasMore: rest.length > page.length,
    skipped: [
      ...snapshot.skipped,
      ...unsampled.map(({ entry }) => ({
        reserve: entry.record.address,
        reason: 'no rate sample yet: rates and sizes are null',
      })),
    ],
  };
}

/** Symbols match whole and in any case. */
function matches(reserve: Reserve, filter: ReserveFilter): boolean {
  if (filter.venue !== undefined && reserve.venue !== filter.venue) return false;
  if (filter.mint !== undefined && reserve.mint !== filter.mint) return false;
  if (filter.market !== undefined && reserve.market !== filter.market) return false;
  if (filter.symbol !== undefined && reserve.symbol?.toLowerCase() !== filter.symbol.toLowerCase()) return false;
  return filter.reached === undefined || filter.reached === reserve.banks.length > 0;
}

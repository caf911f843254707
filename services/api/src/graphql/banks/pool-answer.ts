import { describeAsOf } from '#reads/as-of.ts';
import type { BankEntry } from '#reads/bank-snapshot.ts';
import type { ReserveEntry } from '#reads/reserve-snapshot.ts';
import { readingOfPools } from '#reads/sample-reading.ts';
import { describeVenues } from '#reads/venue-coverage.ts';
import { LOCAL_CHAIN, listStale, ratePartsUnknown } from '#tools/warnings.ts';
import type { GraphqlContext } from '../context.ts';
import type { AboutAnswer } from '../pages/answer-fields.ts';

type PoolEntry = BankEntry | ReserveEntry;

export interface PoolPage {
  readonly shown: readonly PoolEntry[];
  /** What an empty page is about: that none of these is in it. */
  readonly all: readonly PoolEntry[];
  readonly venues: Parameters<typeof describeVenues>[0];
  /** Of the filter; undefined is any. */
  readonly venue: Parameters<typeof describeVenues>[1];
}

/** What a page of banks or reserves says of itself, but for what it skipped; null while there are none at all. */
export function describePools(
  { shown, all, venues, venue }: PoolPage,
  { reads }: Pick<GraphqlContext, 'reads'>,
): AboutAnswer<ReturnType<typeof describeVenues>> | null {
  const entries = shown.length > 0 ? shown : all;
  const reading = readingOfPools(entries);
  if (reading === null) return null;
  const freshness = { nowMs: reads.now(), staleAfterMs: reads.staleAfterMs };
  const asOf = describeAsOf(reading, freshness.nowMs, freshness.staleAfterMs);
  return {
    asOf,
    coverage: describeVenues(venues, venue, freshness),
    warnings: [
      ...listStale(asOf, entries, freshness),
      ...ratePartsUnknown(shown.map(({ record }) => record)),
      ...(reading.source === 'localnet' ? [LOCAL_CHAIN] : []),
    ],
  };
}

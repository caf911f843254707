import { LendingError } from '@lending/errors';
import type { Bank } from '#records/bank-fields.ts';
import { type Coverage, WIRE_VENUES } from '#records/reply-fields.ts';
import { type BankSort, compareSortKeys, type SortKey, sortKeyOf } from './bank-order.ts';
import type { BankEntry, BankSnapshot } from './bank-snapshot.ts';

export interface BankFilter {
  readonly symbol?: string | undefined;
  /** As on the wire. */
  readonly venue?: (typeof WIRE_VENUES)[number] | undefined;
  readonly mint?: string | undefined;
  readonly bank?: string | undefined;
  readonly side?: 'lend' | 'borrow' | undefined;
  readonly minAvailableUsd?: number | undefined;
}

export interface BankPage {
  readonly entries: readonly BankEntry[];
  /** Whether more follow after the last entry. */
  readonly hasMore: boolean;
  readonly coverage: Coverage;
}

export interface BankPageRequest {
  readonly filter: BankFilter;
  readonly sort: BankSort;
  readonly limit: number;
  /** The place after which the page begins; null for the first page. */
  readonly after: SortKey | null;
  /** Named in an error's "next call". */
  readonly callName: string;
}

/**
 * One page of the banks that match. A page begins after a place in the order, not at a row number: banks that
 * appear or vanish between two calls move nothing else.
 * @throws DATA__NOT_READY before the first bank was projected, and while none can be read.
 */
export function listBanks(snapshot: BankSnapshot, request: BankPageRequest): BankPage {
  if (snapshot.entries.size === 0) throw notReady(request.callName);
  const { filter, sort, after } = request;
  const matching = [...snapshot.entries.values()]
    .filter(({ record }) => matches(record, filter))
    .map((entry) => ({ entry, key: sortKeyOf(entry.record, sort) }))
    .sort((a, b) => compareSortKeys(a.key, b.key, sort));
  const rest = after === null ? matching : matching.filter(({ key }) => compareSortKeys(key, after, sort) > 0);
  const page = rest.slice(0, request.limit);
  return {
    entries: page.map(({ entry }) => entry),
    hasMore: rest.length > page.length,
    coverage: describeCoverage(
      snapshot,
      matching.map(({ entry }) => entry),
      filter,
    ),
  };
}

/** Symbols match whole and in any case; several banks may share one. */
function matches(bank: Bank, filter: BankFilter): boolean {
  if (filter.bank !== undefined && bank.address !== filter.bank) return false;
  if (filter.mint !== undefined && bank.mint !== filter.mint) return false;
  if (filter.venue !== undefined && bank.venue !== filter.venue) return false;
  if (filter.symbol !== undefined && bank.symbol?.toLowerCase() !== filter.symbol.toLowerCase()) return false;
  if (filter.side === 'borrow' && !bank.borrowable) return false;
  if (filter.side === 'lend' && bank.operational_state !== 'Operational') return false;
  const available = bank.size.available_liquidity_usd;
  return filter.minAvailableUsd === undefined || (available !== null && available >= filter.minAvailableUsd);
}

/** What the question reached, whatever page of it is shown. */
function describeCoverage(snapshot: BankSnapshot, matching: readonly BankEntry[], filter: BankFilter): Coverage {
  const asked = [...snapshot.entries.values()].filter(
    ({ record }) => filter.venue === undefined || record.venue === filter.venue,
  );
  const present = new Set(asked.map(({ record }) => record.venue));
  const covered = new Set(asked.filter(({ isDecoded }) => isDecoded).map(({ record }) => record.venue));
  const missing = WIRE_VENUES.filter((venue) => present.has(venue) && !covered.has(venue)).map((venue) => ({
    venue,
    reason: 'not decoded',
    since: null,
  }));
  const unsampled = matching
    .filter(({ record, isSampled }) => covered.has(record.venue) && !isSampled)
    .map(({ record }) => ({ bank: record.address, reason: 'no rate sample yet: rates and sizes are null' }));
  const skipped = [...snapshot.skipped, ...unsampled];
  return {
    venues_covered: WIRE_VENUES.filter((venue) => covered.has(venue)),
    venues_missing: missing,
    banks_skipped: skipped,
    complete: missing.length === 0 && skipped.length === 0,
  };
}

function notReady(callName: string): LendingError {
  return new LendingError('DATA__NOT_READY', {
    message: `No bank has been read from the chain yet, or none can be read at present — allowed: any call once /readyz answers 200 — call ${callName} again in a few seconds`,
  });
}

import { LendingError } from '@lending/errors';
import { z } from 'zod';
import type { Bank } from '#tools/bank-fields.ts';
import { type Coverage, WIRE_VENUES } from '#tools/reply-fields.ts';
import { type BankSort, compareSortKeys, type SortKey, sortKeyOf } from './bank-order.ts';
import type { BankEntry, BankSnapshot } from './bank-snapshot.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';

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
  readonly nextCursor: string | null;
  readonly coverage: Coverage;
}

export interface BankPageRequest {
  readonly filter: BankFilter;
  readonly sort: BankSort;
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly callName: string;
}

const cursorPosition = z.tuple([z.union([z.number(), z.string(), z.null()]), z.string()]);

/**
 * One page of the banks that match. A page begins after the cursor's place in the order, not at a row number: banks that
 * appear or vanish between two calls move nothing else.
 * @throws DATA__NOT_READY before the first bank was projected.
 */
export function listBanks(snapshot: BankSnapshot, request: BankPageRequest): BankPage {
  if (snapshot.entries.size === 0 && snapshot.skipped.length === 0) throw notReady(request.callName);
  const { filter, sort } = request;
  const matching = [...snapshot.entries.values()]
    .filter(({ record }) => matches(record, filter))
    .map((entry) => ({ entry, key: sortKeyOf(entry.record, sort) }))
    .sort((a, b) => compareSortKeys(a.key, b.key, sort));
  const question = [filter, sort];
  const after = request.cursor === undefined ? null : readCursor(request.cursor, question, request.callName);
  const rest = after === null ? matching : matching.filter(({ key }) => compareSortKeys(key, after, sort) > 0);
  const page = rest.slice(0, request.limit);
  const last = page.at(-1);
  const hasMore = rest.length > page.length && last !== undefined;
  return {
    entries: page.map(({ entry }) => entry),
    nextCursor: hasMore ? encodeCursor([last.key.value, last.key.address], question) : null,
    coverage: describeCoverage(
      snapshot,
      matching.map(({ entry }) => entry),
      filter,
    ),
  };
}

/** The cursor of a page that was cut after one of its banks. */
export function cursorAfter(entry: BankEntry, filter: BankFilter, sort: BankSort): string {
  const { value, address } = sortKeyOf(entry.record, sort);
  return encodeCursor([value, address], [filter, sort]);
}

function readCursor(text: string, question: unknown, callName: string): SortKey {
  const [value, address] = decodeCursor(text, cursorPosition, question, callName);
  return { value, address };
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
    reason: 'accounts not decoded yet',
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
    message: `No bank has been read from the chain yet — allowed: any call once /readyz answers 200 — call ${callName} again in a few seconds`,
  });
}

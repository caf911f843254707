import { KNOWN_BANK_FLAGS, type VenueOnWire } from '@lending/domain';
import { LendingError } from '@lending/errors';
import type { Bank } from '#records/bank-fields.ts';
import type { Coverage } from '#records/reply-fields.ts';
import type { BankEntry, BankSnapshot } from './bank-snapshot.ts';
import { compareSortKeys, type PoolSort, type SortKey, sortKeyOf } from './pool-order.ts';
import { venueOf } from './venue-of.ts';

export interface BankFilter {
  readonly symbol?: string | undefined;
  readonly venue?: VenueOnWire | undefined;
  readonly mint?: string | undefined;
  readonly bank?: string | undefined;
  readonly side?: 'lend' | 'borrow' | undefined;
  readonly minAvailableUsd?: number | undefined;
}

export interface BankPage {
  readonly entries: readonly BankEntry[];
  /** Whether more follow after the last entry. */
  readonly hasMore: boolean;
  readonly skipped: Coverage['banks_skipped'];
}

export interface BankPageRequest {
  readonly filter: BankFilter;
  readonly sort: PoolSort;
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
    skipped: [
      ...snapshot.skipped,
      ...matching
        .filter(({ entry }) => !entry.isSampled && hasSamples(snapshot, entry))
        .map(({ entry }) => ({ bank: entry.record.address, reason: NO_SAMPLE })),
      ...matching.flatMap(({ entry }) => findUnknown(entry)),
    ],
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

/** A venue of which nothing was ever sampled is named as a whole. */
function hasSamples(snapshot: BankSnapshot, { record }: BankEntry): boolean {
  return (snapshot.venues.get(venueOf(record.venue)) ?? null) !== null;
}

/** What of a bank is not known here, since a newer program wrote it: the bank is shown, and the reason says what follows. */
function findUnknown({ record, row }: BankEntry): BankPage['skipped'] {
  const flags = BigInt(row.flags) & ~KNOWN_BANK_FLAGS;
  const unknown = [
    ...(row.operational_state === 'Unknown' ? ['its state, so nothing may be done with it'] : []),
    ...(row.oracle_setup === 'Unknown' ? ['its oracle, so it is not valued'] : []),
    ...(flags === 0n ? [] : [`flags 0x${flags.toString(16)}, without which it is valued`]),
  ];
  return unknown.length === 0 ? [] : [{ bank: record.address, reason: `not known here: ${unknown.join('; ')}` }];
}

const NO_SAMPLE = 'no rate sample yet: rates and sizes are null';

function notReady(callName: string): LendingError {
  return new LendingError('DATA__NOT_READY', {
    message: `No bank has been read from the chain yet, or none can be read at present — allowed: any call once /readyz answers 200 — call ${callName} again in a few seconds`,
  });
}

import { type I80F48, parseVenue, type VenueOnWire } from '@lending/domain';
import { LendingError } from '@lending/errors';
import type { Strategy, StrategyKind } from '@lending/strategies';
import { compareStrategyKeys, type StrategyKey, type StrategySort, strategyKeyOf } from './strategy-order.ts';
import { shownCents } from './strategy-record.ts';
import type { StrategyEntry, StrategySnapshot } from './strategy-snapshot.ts';

/** Symbols match whole and in any case. */
export interface StrategyFilter {
  readonly kind?: StrategyKind | undefined;
  readonly supplySymbol?: string | undefined;
  readonly borrowSymbol?: string | undefined;
  /** Of either side. */
  readonly venue?: VenueOnWire | undefined;
  readonly minSizeUsd?: number | undefined;
  /** Only pairs that allow no more. */
  readonly maxLeverage?: number | undefined;
  /** Only pairs that allow as much, in hundredths. */
  readonly reachesHundredths?: bigint | undefined;
}

export interface StrategyPageRequest {
  readonly filter: StrategyFilter;
  readonly sort: StrategySort;
  readonly limit: number;
  /** The place after which the page begins; null for the first page. */
  readonly after: StrategyKey | null;
  /** Named in an error's "next call". */
  readonly callName: string;
}

export interface StrategyPage {
  readonly entries: readonly StrategyEntry[];
  /** Whether more follow after the last entry. */
  readonly hasMore: boolean;
  /** How many match, on all pages. */
  readonly total: number;
}

/**
 * One page of the strategies that match. A page begins after a place in the order, not at a row number, as a page of banks does.
 * @throws DATA__NOT_READY before the first bank was measured.
 */
export function listStrategies(snapshot: StrategySnapshot, request: StrategyPageRequest): StrategyPage {
  if (snapshot.sides.size === 0) throw notReady(request.callName);
  const { sort, after, limit } = request;
  const matches = matcherOf(request.filter);
  const matching = inOrder(
    snapshot.strategies.filter(({ strategy }) => matches(strategy)),
    sort,
  );
  const isAfter = ({ strategy }: StrategyEntry) =>
    after === null || compareStrategyKeys(strategyKeyOf(strategy, sort), after, sort) > 0;
  const first = matching.findIndex(isAfter);
  const entries = first === -1 ? [] : matching.slice(first, first + limit);
  return { entries, hasMore: first !== -1 && first + limit < matching.length, total: matching.length };
}

/** There are thousands: the order that they are kept in is not made again. */
function inOrder(entries: readonly StrategyEntry[], sort: StrategySort): readonly StrategyEntry[] {
  if (sort === 'score') return entries;
  return entries
    .map((entry) => ({ entry, key: strategyKeyOf(entry.strategy, sort) }))
    .sort((a, b) => compareStrategyKeys(a.key, b.key, sort))
    .map(({ entry }) => entry);
}

function matcherOf(filter: StrategyFilter): (strategy: Strategy) => boolean {
  const { kind, minSizeUsd, maxLeverage, reachesHundredths } = filter;
  const supplySymbol = filter.supplySymbol?.toLowerCase();
  const borrowSymbol = filter.borrowSymbol?.toLowerCase();
  const venue = filter.venue === undefined ? undefined : parseVenue(filter.venue);
  return (strategy) =>
    (kind === undefined || strategy.kind === kind) &&
    (supplySymbol === undefined || strategy.supply.symbol?.toLowerCase() === supplySymbol) &&
    (borrowSymbol === undefined || strategy.borrow.symbol?.toLowerCase() === borrowSymbol) &&
    (venue === undefined || strategy.supply.venue === venue || strategy.borrow.venue === venue) &&
    (minSizeUsd === undefined || isAtLeast(strategy.sizeUsd, minSizeUsd)) &&
    (maxLeverage === undefined || Number(strategy.maxLeverageHundredths) / 100 <= maxLeverage) &&
    (reachesHundredths === undefined || strategy.maxLeverageHundredths >= reachesHundredths);
}

/** By the figure that is shown. */
function isAtLeast(sizeUsd: I80F48, leastUsd: number): boolean {
  return shownCents(sizeUsd) >= leastUsd;
}

function notReady(callName: string): LendingError {
  return new LendingError('DATA__NOT_READY', {
    message: `No bank has been measured on the chain yet, or none can be read at present — allowed: any call once /readyz answers 200 — call ${callName} again in a few seconds`,
  });
}

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
  const { sort, after } = request;
  const matches = matcherOf(request.filter);
  const matching = snapshot.strategies
    .filter(({ strategy }) => matches(strategy))
    .map((entry) => ({ entry, key: strategyKeyOf(entry.strategy, sort) }))
    .sort((a, b) => compareStrategyKeys(a.key, b.key, sort));
  const rest = after === null ? matching : matching.filter(({ key }) => compareStrategyKeys(key, after, sort) > 0);
  const page = rest.slice(0, request.limit);
  return { entries: page.map(({ entry }) => entry), hasMore: rest.length > page.length, total: matching.length };
}

function matcherOf(filter: StrategyFilter): (strategy: Strategy) => boolean {
  const { kind, minSizeUsd, maxLeverage, reachesHundredths } = filter;
  const supplySymbol = filter.supplySymbol?.toLowerCase();
  const borrowSymbol = filter.borrowSymbol?.toLowerCase();
  const venue = filter.venue === undefined ? undefined : parseVenue(filter.venue);
  return ({ supply, borrow, ...strategy }) =>
    (kind === undefined || strategy.kind === kind) &&
    (supplySymbol === undefined || supply.symbol?.toLowerCase() === supplySymbol) &&
    (borrowSymbol === undefined || borrow.symbol?.toLowerCase() === borrowSymbol) &&
    (venue === undefined || supply.venue === venue || borrow.venue === venue) &&
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

import type { VenueOnWire } from '@lending/domain';
import type { Coverage } from '#records/reply-fields.ts';
import type { StrategyEntry, StrategySide, StrategySnapshot } from './strategy-snapshot.ts';
import { describeVenues, type Freshness } from './venue-coverage.ts';

/** The banks that some strategies are about, each once; of none, all that strategies were looked for among: an empty list is an answer too. */
export function sidesOf(snapshot: StrategySnapshot, entries: readonly StrategyEntry[]): readonly StrategySide[] {
  if (entries.length === 0) return [...snapshot.sides.values()];
  return [...new Set(entries.flatMap(({ supply, borrow }) => [supply, borrow]))];
}

/** What a list of strategies covers. Every strategy borrows from P0, so P0 is covered or missing whichever venue was asked about. */
export function describeStrategyCoverage(
  { banks, skipped }: StrategySnapshot,
  venue: VenueOnWire | undefined,
  freshness: Freshness,
): Coverage {
  const all = describeVenues(banks.venues, undefined, freshness);
  const isAsked = (other: VenueOnWire) => venue === undefined || other === venue || other === 'P0';
  const missing = all.venues_missing.filter((each) => isAsked(each.venue));
  return {
    venues_covered: all.venues_covered.filter(isAsked),
    venues_missing: missing,
    banks_skipped: [...skipped],
    complete: missing.length === 0 && skipped.length === 0,
  };
}

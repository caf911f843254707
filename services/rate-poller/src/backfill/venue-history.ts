import type { RateBackfilled } from '@lending/events';
import type { ReserveKeys, ReserveVenue } from '@lending/venues';

/** One bucket of a reserve's past, as a venue tells it. Fractions of one, base units and USD as exact decimal text. */
export type HistoryPoint = RateBackfilled['points'][number];

/** A stretch of time in ms since 1970; the end is exclusive. */
export interface HistoryRange {
  readonly startMs: number;
  readonly endMs: number;
}

/** A venue's own service that publishes the past of its reserves. */
export interface VenueHistory {
  readonly venue: ReserveVenue;
  readonly interval: RateBackfilled['interval'];
  /** The longest stretch to ask for at once, in days. */
  readonly windowDays: number;
  /**
   * The buckets it has of a range, oldest first; none where it knows nothing.
   * @throws VENUE__HISTORY_UNAVAILABLE when it does not answer, VENUE__HISTORY_MALFORMED when the answer is of another shape.
   */
  fetchPoints(reserve: ReserveKeys, range: HistoryRange, signal: AbortSignal): Promise<readonly HistoryPoint[]>;
}

import { formatVenue, parseVenue, VENUES } from '@lending/domain';
import type { Coverage } from '#records/reply-fields.ts';
import type { VenueSamples } from './venue-samples.ts';

/** Against what a venue's newest sample is judged; ms since 1970, ms. */
export interface Freshness {
  readonly nowMs: number;
  readonly staleAfterMs: number;
}

/**
 * Which of the venues that were asked about were read lately. Told at the moment of answering, since a venue goes missing by silence.
 * Shape: both lists in the order of venues on the wire; a venue without banks or reserves is in neither.
 */
export function describeVenues(
  samples: VenueSamples,
  asked: string | undefined,
  { nowMs, staleAfterMs }: Freshness,
): Pick<Coverage, 'venues_covered' | 'venues_missing'> {
  const only = asked === undefined ? null : parseVenue(asked);
  const present = VENUES.filter((venue) => samples.has(venue) && (only === null || venue === only));
  const isCurrent = (newestMs: number | null | undefined) =>
    typeof newestMs === 'number' && nowMs - newestMs <= staleAfterMs;
  const missing = present.filter((venue) => !isCurrent(samples.get(venue)));
  return {
    venues_covered: present.filter((venue) => isCurrent(samples.get(venue))).map(formatVenue),
    venues_missing: missing.map((venue) => {
      const newestMs = samples.get(venue) ?? null;
      return {
        venue: formatVenue(venue),
        reason: newestMs === null ? 'never sampled yet' : `not sampled for more than ${staleAfterMs / 1000} s`,
        since: newestMs === null ? null : new Date(newestMs).toISOString(),
      };
    }),
  };
}

import type { Venue } from '@lending/domain';

/** When each venue that has banks or reserves was last sampled, ms since 1970; null for one that never was. */
export type VenueSamples = ReadonlyMap<Venue, number | null>;

export function newestSamples(
  rows: Iterable<{ readonly venue: Venue; readonly sample_time: Date | null }>,
): VenueSamples {
  const newest = new Map<Venue, number | null>();
  for (const { venue, sample_time: time } of rows) {
    const [before, timeMs] = [newest.get(venue) ?? null, time?.getTime() ?? null];
    newest.set(venue, before === null || timeMs === null ? (before ?? timeMs) : Math.max(before, timeMs));
  }
  return newest;
}

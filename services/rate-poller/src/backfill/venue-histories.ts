import { createKaminoHistory } from './kamino-history.ts';
import { createSaveHistory } from './save-history.ts';
import type { VenueHistory } from './venue-history.ts';

/** The venues whose services publish the past of their reserves in a shape that is known. */
export const BACKFILL_VENUES = ['kamino', 'solend'] as const;

/** Which services are asked, how far back, and where they are. */
export interface BackfillConfig {
  readonly BACKFILL_VENUES: readonly string[];
  readonly BACKFILL_DAYS: number;
  readonly KAMINO_API_URL: string;
  readonly SAVE_API_URL: string;
}

/** What is to be taken over from venues once this process leads: nothing, unless settings name a venue. */
export interface Backfill {
  readonly histories: readonly VenueHistory[];
  readonly days: number;
}

export function readBackfill(config: BackfillConfig): Backfill {
  const known: Readonly<Record<(typeof BACKFILL_VENUES)[number], () => VenueHistory>> = {
    kamino: () => createKaminoHistory(config.KAMINO_API_URL),
    solend: () => createSaveHistory(config.SAVE_API_URL),
  };
  const wanted = BACKFILL_VENUES.filter((venue) => config.BACKFILL_VENUES.includes(venue));
  return { histories: wanted.map((venue) => known[venue]()), days: config.BACKFILL_DAYS };
}

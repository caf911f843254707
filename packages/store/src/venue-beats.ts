import type { Venue } from '@lending/domain';
import { type QueryExecutorProvider, sql } from 'kysely';

/** How often the poller that leads samples its venues. */
export interface VenueBeats {
  readonly beatMs: Readonly<Partial<Record<Venue, number>>>;
  /** Microseconds that a slot lasts; null while nobody measured it. */
  readonly slotUs: number | null;
}

export interface VenueBeatRow {
  readonly venue: Venue;
  readonly beat_ms: number;
  readonly slot_us: number | null;
}

/**
 * Keeps how often each venue is to be sampled. A venue that is sampled no longer keeps its row, as it keeps its rates.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function writeVenueBeats(db: QueryExecutorProvider, { beatMs, slotUs }: VenueBeats): Promise<void> {
  const beats = Object.entries(beatMs);
  await sql`
    insert into venue_beat (venue, beat_ms, slot_us, told_at)
    select venue, beat_ms, ${slotUs}::integer, now()
    from unnest(${beats.map(([venue]) => venue)}::text[], ${beats.map(([, ms]) => ms)}::integer[]) as told (venue, beat_ms)
    order by venue
    on conflict (venue) do update set
      beat_ms = excluded.beat_ms,
      slot_us = coalesce(excluded.slot_us, venue_beat.slot_us),
      told_at = excluded.told_at
  `.execute(db);
}

/**
 * How often each venue is to be sampled, as it was told last.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function listVenueBeats(db: QueryExecutorProvider): Promise<readonly VenueBeatRow[]> {
  const { rows } = await sql<VenueBeatRow>`select venue, beat_ms, slot_us from venue_beat order by venue`.execute(db);
  return rows;
}

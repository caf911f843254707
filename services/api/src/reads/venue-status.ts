import { formatVenue, type VenueOnWire } from '@lending/domain';
import type { QuarantineRow, VenueBeatRow, VenueStatusRow } from '@lending/store';
import type { ReadStore } from './read-store.ts';
import type { Freshness } from './venue-coverage.ts';

/** How far one venue was sampled, and what of it was not believed. Times are ISO-8601 UTC. */
export interface VenueStatus {
  readonly venue: VenueOnWire;
  readonly banks: number;
  readonly reserves: number;
  /** Null before the first sample. */
  readonly newest: { readonly slot: number; readonly time: string; readonly age_seconds: number } | null;
  readonly stale: boolean;
  /** How often it is sampled; null before a poller said so. */
  readonly beat_seconds: number | null;
  /** How much older than a beat its newest sample is; null before the first, or where the beat is unknown. */
  readonly lag_seconds: number | null;
  /** Slots from its newest sample to the newest slot that anybody knows of. */
  readonly slots_behind: number | null;
  readonly gap_seconds_24h: number | null;
  readonly quarantined_24h: number;
  /** Null when nothing was quarantined in that time. */
  readonly last_quarantined: {
    readonly address: string;
    readonly reason: string;
    readonly detail: string;
    readonly time: string;
  } | null;
}

export interface VenueStatusOptions {
  readonly now: () => number;
  readonly staleAfterMs: number;
  /** How often venues are sampled, as the poller said last. */
  readonly beats: readonly VenueBeatRow[];
  /** The newest slot that anybody knows of. */
  readonly bestSlot: bigint | null;
}

/**
 * How each venue stands that has banks or reserves, by name.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function readVenueStatuses(
  store: Pick<ReadStore, 'readVenueStatus' | 'readQuarantine'>,
  { now, staleAfterMs, beats, bestSlot }: VenueStatusOptions,
): Promise<readonly VenueStatus[]> {
  const [venues, quarantined] = await Promise.all([store.readVenueStatus(), store.readQuarantine()]);
  const freshness = { nowMs: now(), staleAfterMs };
  const beatOf = new Map(beats.map(({ venue, beat_ms: beatMs }) => [venue, beatMs]));
  const quarantinedOf = new Map(quarantined.map((row) => [row.venue, row]));
  return venues.map((row) => ({
    ...describe(row, quarantinedOf.get(row.venue), freshness),
    ...describeLag(row, beatOf.get(row.venue) ?? null, bestSlot, freshness.nowMs),
  }));
}

function describe(
  row: VenueStatusRow,
  quarantined: QuarantineRow | undefined,
  { nowMs, staleAfterMs }: Freshness,
): Omit<VenueStatus, keyof VenueLag> {
  const { newest_slot: slot, newest_time: time } = row;
  const ageMs = time === null ? null : Math.max(0, nowMs - time.getTime());
  return {
    venue: formatVenue(row.venue),
    banks: row.banks,
    reserves: row.reserves,
    newest:
      slot === null || time === null || ageMs === null
        ? null
        : { slot: Number(slot), time: time.toISOString(), age_seconds: Math.round(ageMs / 100) / 10 },
    stale: ageMs === null || ageMs > staleAfterMs,
    gap_seconds_24h: row.gap_seconds,
    quarantined_24h: quarantined?.count ?? 0,
    last_quarantined:
      quarantined === undefined
        ? null
        : {
            address: quarantined.last_address,
            reason: quarantined.last_reason,
            detail: quarantined.last_detail,
            time: quarantined.last_recorded_at.toISOString(),
          },
  };
}

type VenueLag = Pick<VenueStatus, 'beat_seconds' | 'lag_seconds' | 'slots_behind'>;

function describeLag(
  { newest_slot: slot, newest_time: time }: VenueStatusRow,
  beatMs: number | null,
  bestSlot: bigint | null,
  nowMs: number,
): VenueLag {
  const lateMs = time === null || beatMs === null ? null : Math.max(0, nowMs - time.getTime() - beatMs);
  return {
    beat_seconds: beatMs === null ? null : beatMs / 1000,
    lag_seconds: lateMs === null ? null : Math.round(lateMs / 100) / 10,
    slots_behind: slot === null || bestSlot === null ? null : Math.max(0, Number(bestSlot - slot)),
  };
}

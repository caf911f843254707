import type { AsOf } from '#records/reply-fields.ts';

/** When and where one input of an answer was read. */
export interface Reading {
  readonly slot: bigint;
  /** The chain's time at that slot, ms since 1970. */
  readonly timeMs: number;
  readonly source: 'chain' | 'localnet';
  /** `configuration` is published when it changes, so it is old without being outdated; a `sample` ages. */
  readonly kind: 'sample' | 'configuration';
}

/** The oldest of some readings: an answer is as old as its oldest input. Null when there is none. */
export function oldestReading(readings: Iterable<Reading>): Reading | null {
  let oldest: Reading | null = null;
  for (const reading of readings) if (oldest === null || reading.slot < oldest.slot) oldest = reading;
  return oldest;
}

/**
 * How old an answer is at this moment, by the wall clock. A chain whose clock stands in the past is simply old. Configuration is dated too, and never stale.
 */
export function describeAsOf(reading: Reading, nowMs: number, staleAfterMs: number): AsOf {
  const ageMs = Math.max(0, nowMs - reading.timeMs);
  return {
    slot: Number(reading.slot),
    time: new Date(reading.timeMs).toISOString(),
    age_seconds: Math.round(ageMs / 100) / 10,
    stale: reading.kind === 'sample' && ageMs > staleAfterMs,
    source: reading.source,
  };
}

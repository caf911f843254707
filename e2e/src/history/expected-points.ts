import { type Venue, venueApy } from '@lending/domain';
import type { TestDatabase } from '@lending/testing';
import { query } from './tables.ts';

/** A sample as it is stored. */
export interface StoredSample {
  readonly timeMs: number;
  /** Fraction of one a year. */
  readonly depositApr: number | null;
}

/** How long a sample speaks when no newer one follows; said in the api's description of a history. */
const HOLD_MS = 120_000;

/** All samples of one bank or reserve, oldest first. */
export async function readSamples(database: TestDatabase, address: string): Promise<readonly StoredSample[]> {
  return await query<StoredSample>(
    database,
    `select (extract(epoch from time) * 1000)::float8 as "timeMs", deposit_apr::float8 as "depositApr"
     from rate_sample join rate_series on id = series
     where address = $1
     order by time, slot`,
    [address],
  );
}

/**
 * The mean deposit APR between two times, worked out one sample after the other: each weighs as long as it speaks, and what nobody speaks
 * for weighs nothing. Null where nobody speaks. The newest sample has not spoken for any time yet.
 */
export function meanApr(samples: readonly StoredSample[], fromMs: number, toMs: number): number | null {
  let [weighed, weight] = [0, 0];
  for (const [index, { timeMs, depositApr }] of samples.entries()) {
    const nextMs = samples[index + 1]?.timeMs ?? timeMs;
    const spokenMs = Math.min(nextMs, timeMs + HOLD_MS, toMs) - Math.max(timeMs, fromMs);
    if (depositApr === null || spokenMs <= 0) continue;
    weighed += depositApr * spokenMs;
    weight += spokenMs;
  }
  return weight === 0 ? null : weighed / weight;
}

/** As a history shows it. */
export function meanApyPct(
  samples: readonly StoredSample[],
  venue: Venue,
  fromMs: number,
  toMs: number,
): number | null {
  const mean = meanApr(samples, fromMs, toMs);
  return mean === null ? null : 100 * venueApy(mean, venue);
}

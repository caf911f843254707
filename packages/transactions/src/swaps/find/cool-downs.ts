import { createHash } from 'node:crypto';
import { BoundedCache } from '#bounded-cache.ts';
import type { AggregatorName } from '../swap-route.ts';

/** Limits count by key: so many callers at once are remembered. */
const MAX_KEYS = 1_000;

/** Which key of which aggregator is not to be used until when. A caller's key is not kept: its digest is. */
export interface CoolDowns {
  /** Ms since 1970; null where it may be used. */
  until(aggregator: AggregatorName, key: string | null, nowMs: number): number | null;
  start(aggregator: AggregatorName, key: string | null, untilMs: number): void;
}

export function createCoolDowns(): CoolDowns {
  const ends = new BoundedCache<number>(MAX_KEYS);
  return {
    until(aggregator, key, nowMs) {
      const end = ends.get(nameOf(aggregator, key));
      return end !== undefined && end > nowMs ? end : null;
    },
    start: (aggregator, key, untilMs) => ends.set(nameOf(aggregator, key), untilMs),
  };
}

function nameOf(aggregator: AggregatorName, key: string | null): string {
  const digest = key === null ? '' : createHash('sha256').update(key).digest('base64');
  return `${aggregator} ${digest}`;
}

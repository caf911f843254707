import type { KlendReserve } from '@lending/programs';
import type { SlotContext } from '#engine/engine.ts';
import { check } from '../klend-error.ts';

type LastUpdate = KlendReserve['lastUpdate'];

/** Checks that a price may pass; all of them are in the low six bits. */
export const PRICE_CHECK = {
  loaded: 1,
  young: 2,
  nearAverage: 4,
  averageYoung: 8,
  withinHeuristic: 16,
  usageAllowed: 32,
} as const;
export const ALL_PRICE_CHECKS = 63;

/**
 * Whether an account wants a refresh in this slot before anything moves its funds. No check of prices is asked for: those who move
 * funds here have no debts.
 * @throws AnchorError MathOverflow for an update later than now
 */
export function isStale({ slot, stale }: LastUpdate, now: SlotContext): boolean {
  check(now.slot >= slot, 'MathOverflow');
  return stale !== 0 || now.slot > slot;
}

export function markStale<T extends { readonly lastUpdate: LastUpdate }>(account: T): T {
  return { ...account, lastUpdate: { ...account.lastUpdate, stale: 1 } };
}

/** Seconds; a time of the future has no age. */
export function ageOf(timestamp: bigint, now: bigint): bigint {
  return now > timestamp ? now - timestamp : 0n;
}

import type { Address } from '@solana/kit';
import type { Activity, ActivityRebalance } from './activity.ts';

/** One thing one call did, before calls are grouped. */
export interface Step extends Omit<Activity, 'id' | 'groupId' | 'authority'> {
  /** Null where the instruction alone is known, which names who signed and not whose account it is. */
  readonly authority: Address | null;
  /** Who signed as if it were theirs: the authority itself, but for those who act for it. Null where anyone may call. */
  readonly signedBy: Address | null;
}

/** What the placement of an order to rebalance has beside its terms. */
export function placementOf(order: Address): ActivityRebalance {
  return { order, executor: null, record: null, moved: null, tipLamports: null, realized: null };
}

import type { ScoreParts } from '../strategy.ts';

/**
 * What the parts weigh; they add up to 1. The yield is why anybody looks, what may take the capital comes next, then whether one gets
 * out, and last whether much of it fits, which is the callers' own affair to compare with what they have.
 */
export const SCORE_WEIGHTS = { carry: 0.35, stability: 0.3, capacity: 0.15, liquidity: 0.2 } as const;

/**
 * 0 to 100: the upper half is for sound pairs that bet on no price, the lower for all others, so that the order of scores has every one
 * of the first before the first of the second. Everything that makes it up is in the record, so that anybody can compute it again.
 */
export function scoreOf(
  { carry, stability, capacity, liquidity, penalty }: ScoreParts,
  isSoundWithoutBet: boolean,
): number {
  const merit =
    SCORE_WEIGHTS.carry * carry +
    SCORE_WEIGHTS.stability * stability +
    SCORE_WEIGHTS.capacity * capacity +
    SCORE_WEIGHTS.liquidity * liquidity;
  return 50 * merit * (1 - penalty) + (isSoundWithoutBet ? 50 : 0);
}

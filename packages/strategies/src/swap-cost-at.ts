import { toShownUsd } from '@lending/domain';
import type { SwapCost, SwapRung } from './swap-cost.ts';

/** A swap's cost at one size. */
export interface QuotedCost {
  /** Basis points of what is given. */
  readonly costBps: number;
  readonly sizeUsd: number;
  readonly quotedAtMs: number;
}

/**
 * The size at which the costs of all pairs are told, so that they compare, USD: a first position of many, small enough to be quoted for
 * any pair and large enough to feel its price impact.
 */
export const REFERENCE_SWAP_USD = 10_000;

/** At the reference size, or all that the market is deep for where that is less; at the nearest size that was quoted. */
export function referenceCostOf({ rungs, depthUsd, quotedAtMs }: SwapCost): QuotedCost | null {
  const [smallest, largest] = [rungs.at(0), rungs.at(-1)];
  if (smallest === undefined || largest === undefined) return null;
  const wantedUsd = depthUsd === null ? REFERENCE_SWAP_USD : Math.min(REFERENCE_SWAP_USD, toShownUsd(depthUsd));
  const sizeUsd = Math.min(Math.max(wantedUsd, smallest.sizeUsd), largest.sizeUsd);
  const costBps = costAt(rungs, sizeUsd);
  return costBps === null ? null : { costBps, sizeUsd, quotedAtMs };
}

/**
 * Basis points of a swap's size: in a straight line between the sizes that were quoted, as the impact of a small part of a pool grows.
 * A smaller swap costs what the smallest quoted one did; of a larger one than the largest nothing is known: null.
 */
export function costAt(rungs: readonly SwapRung[], sizeUsd: number): number | null {
  let below: SwapRung | null = null;
  for (const rung of rungs) {
    if (sizeUsd <= rung.sizeUsd) return below === null ? rung.costBps : between(below, rung, sizeUsd);
    below = rung;
  }
  return null;
}

function between(below: SwapRung, above: SwapRung, sizeUsd: number): number {
  const part = (sizeUsd - below.sizeUsd) / (above.sizeUsd - below.sizeUsd);
  return below.costBps + part * (above.costBps - below.costBps);
}

/** The part of the distance to liquidation; the rest is the steadiness of the yield. Losing the capital is worse than losing the yield. */
const DISTANCE_PART = 0.7;
/** What small yields are compared by, percent: half a percent instead of one is no unsteadiness that anybody minds. */
const STEADY_PCT = 2;
/** Of a window without a mean: neither steady nor unsteady. */
const UNKNOWN_STEADINESS = 0.5;

export interface StabilityInputs {
  /** How far the supply's price in the debt's falls in a bad month, percent. */
  readonly badMonthPct: number;
  /** At recommended leverage; null without debt. */
  readonly priceRatioDropPct: number | null;
  readonly netApyPct: number;
  /** Net yields of the windows, at the same leverage. */
  readonly means: readonly [number | null, number | null];
}

/** Half of the distance is reached where a bad month liquidates, all of it without debt. */
export function stabilityOf({ badMonthPct, priceRatioDropPct, netApyPct, means }: StabilityInputs): number {
  const drop = priceRatioDropPct === null ? null : Math.max(0, priceRatioDropPct);
  const distance = drop === null ? 1 : drop / (drop + badMonthPct);
  const steadiness = (steadinessOf(netApyPct, means[0]) + steadinessOf(netApyPct, means[1])) / 2;
  return DISTANCE_PART * distance + (1 - DISTANCE_PART) * steadiness;
}

/** How much of the larger one both yields share; 0 where they have nothing in common, or opposite signs. */
function steadinessOf(now: number, mean: number | null): number {
  if (mean === null) return UNKNOWN_STEADINESS;
  const scale = Math.max(Math.abs(now), Math.abs(mean), STEADY_PCT);
  return Math.max(0, 1 - Math.abs(now - mean) / scale);
}

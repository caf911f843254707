import type { StrategyKind, StrategyType } from '../strategy.ts';

/**
 * How far the supply's price in the debt's falls in a bad month, percent. Dollars and SOL's staking tokens have lost a twentieth
 * against their kind for days (USDC in March 2023: an eighth for two days); SOL has lost half against the dollar in a month. A short
 * loses to rises, which come slower; what has no kind is taken for two coins that fall together.
 */
const BAD_MONTH_PCT: Readonly<Record<StrategyKind, number>> = {
  stable: 5,
  sol_lst: 5,
  directional_long: 40,
  directional_short: 35,
  other: 30,
};
/** The same token on both sides, percent: only two banks' feeds can tell it apart from itself. */
const SAME_TOKEN_PCT = 1;

/** The part of the distance to liquidation; the rest is the steadiness of the yield. Losing the capital is worse than losing the yield. */
const DISTANCE_PART = 0.7;
/** What small yields are compared by, percent: half a percent instead of one is no unsteadiness that anybody minds. */
const STEADY_PCT = 2;
/** Of a window without a mean: neither steady nor unsteady. */
const UNKNOWN_STEADINESS = 0.5;

export interface StabilityInputs {
  readonly type: StrategyType;
  readonly kind: StrategyKind;
  /** At recommended leverage; null without debt. */
  readonly priceRatioDropPct: number | null;
  readonly netApyPct: number;
  /** Net yields of the windows, at the same leverage. */
  readonly means: readonly [number | null, number | null];
}

/** Half of the distance is reached where a bad month liquidates, all of it without debt. */
export function stabilityOf({ type, kind, priceRatioDropPct, netApyPct, means }: StabilityInputs): number {
  const badMonth = type === 'rate_arbitrage' ? SAME_TOKEN_PCT : BAD_MONTH_PCT[kind];
  const drop = priceRatioDropPct === null ? null : Math.max(0, priceRatioDropPct);
  const distance = drop === null ? 1 : drop / (drop + badMonth);
  const steadiness = (steadinessOf(netApyPct, means[0]) + steadinessOf(netApyPct, means[1])) / 2;
  return DISTANCE_PART * distance + (1 - DISTANCE_PART) * steadiness;
}

/** How much of the larger one both yields share; 0 where they have nothing in common, or opposite signs. */
function steadinessOf(now: number, mean: number | null): number {
  if (mean === null) return UNKNOWN_STEADINESS;
  const scale = Math.max(Math.abs(now), Math.abs(mean), STEADY_PCT);
  return Math.max(0, 1 - Math.abs(now - mean) / scale);
}

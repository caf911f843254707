import { UNKNOWN } from './number.ts';

/** A health ratio: four digits near the liquidation line at 1, where they count, and fewer far from it. */
export function formatRatio(ratio: number | null): string {
  if (ratio === null) return UNKNOWN;
  if (ratio >= 100) return '> 100';
  return ratio.toFixed(ratio < 2 ? 3 : ratio < 10 ? 2 : 1);
}

import type { I80F48 } from '../i80f48.ts';
import type { Ratio } from './ratio.ts';

export type HealthStatus = 'healthy' | 'moderate' | 'warning' | 'critical' | 'liquidatable' | 'unknown';

/** Weighted USD at one requirement. */
export interface HealthTotals {
  readonly assets: I80F48;
  readonly liabilities: I80F48;
}

/** The health ratios at which the better statuses begin, in hundredths. Above 1.00 is critical, the rest can be liquidated. */
const LINES = [
  ['healthy', 200n],
  ['moderate', 125n],
  ['warning', 110n],
] as const;

/** The status of maintenance totals. */
export function healthStatusOf({ assets, liabilities }: HealthTotals): HealthStatus {
  if (liabilities === 0n) return 'healthy';
  const reached = LINES.find(([, hundredths]) => assets * 100n >= liabilities * hundredths);
  if (reached !== undefined) return reached[0];
  return assets > liabilities ? 'critical' : 'liquidatable';
}

/** Assets ÷ liabilities: liquidatable at or below 1, null without debt. */
export function healthRatioOf({ assets, liabilities }: HealthTotals): Ratio | null {
  return liabilities === 0n ? null : { numerator: assets, denominator: liabilities };
}

/** 1 − liabilities ÷ assets: 1 without debt, 0 is the line, and never below −1. */
export function healthFactorOf({ assets, liabilities }: HealthTotals): Ratio {
  if (liabilities === 0n) return { numerator: 1n, denominator: 1n };
  if (liabilities >= 2n * assets) return WORST_HEALTH_FACTOR;
  return { numerator: assets - liabilities, denominator: assets };
}

/** Debt at twice the assets, or worse. */
export const WORST_HEALTH_FACTOR: Ratio = { numerator: -1n, denominator: 1n };

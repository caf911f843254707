import type { I80F48 } from '@lending/domain';
import { onUsdScale } from './usd-scale.ts';

/** Half is what can leave the bank of the supply, half what the way costs: neither helps without the other. */
const LEAVING_PART = 0.5;
/** A cost worth half, basis points of own capital: about what a month of a good yield pays. */
const HALF_COST_BPS = 50;

export interface LiquidityInputs {
  /** What can leave the bank of the supply, USD; null is not known. */
  readonly supplyLiquidityUsd: I80F48 | null;
  /** What getting in costs at recommended leverage, which is also what getting out is taken to cost; null is not known. */
  readonly entryBps: number | null;
}

/** What is unknown is no ease: it counts nothing. */
export function liquidityOf({ supplyLiquidityUsd, entryBps }: LiquidityInputs): number {
  const leaving = supplyLiquidityUsd === null ? 0 : onUsdScale(supplyLiquidityUsd);
  const cheapness = entryBps === null ? 0 : HALF_COST_BPS / (HALF_COST_BPS + Math.max(0, entryBps));
  return LEAVING_PART * leaving + (1 - LEAVING_PART) * cheapness;
}

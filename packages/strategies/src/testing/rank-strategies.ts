import { createRanker, type Ranking } from '../ranker.ts';
import type { StrategyBank } from '../strategy-bank.ts';
import type { SwapCost } from '../swap-cost.ts';

/** Once, with nothing kept. */
export function rankStrategies(banks: readonly StrategyBank[], swapCosts: readonly SwapCost[], nowMs: number): Ranking {
  return createRanker().rank(banks, swapCosts, nowMs);
}

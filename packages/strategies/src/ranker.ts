import { createBadMonths } from './bad-month.ts';
import { byScore } from './by-score.ts';
import { type LeftOutBank, leftOutOf } from './left-out.ts';
import { yieldsNow } from './net-apy.ts';
import { createPairMemory } from './pair-memory.ts';
import { listPairs, type Pair } from './pairs.ts';
import { quotedSwapsOf } from './quoted-swaps.ts';
import type { Strategy } from './strategy.ts';
import type { StrategyBank } from './strategy-bank.ts';
import { strategyOf } from './strategy-of.ts';
import type { SwapCost } from './swap-cost.ts';

export interface Ranking {
  /** The best first. */
  readonly strategies: readonly Strategy[];
  /** Banks that the program would allow pairs of, which cannot be told for want of a rate. By address; one bank may have several reasons. */
  readonly leftOut: readonly LeftOutBank[];
}

export interface Ranker {
  /** Banks have addresses of their own; swaps that no pair makes are ignored. */
  rank(banks: readonly StrategyBank[], swapCosts: readonly SwapCost[], nowMs: number): Ranking;
}

/** Ranks again and again: what follows from configuration or from past days alone is kept, so that a new rate costs arithmetic only. */
export function createRanker(): Ranker {
  const memory = createPairMemory();
  const badMonths = createBadMonths();
  return {
    rank(banks, swapCosts, nowMs) {
      const swapOf = quotedSwapsOf(swapCosts);
      const strategies: Strategy[] = [];
      const untold: Pair[] = [];
      for (const pair of listPairs(banks, memory.recall(banks))) {
        const yields = yieldsNow(pair.supply, pair.borrow);
        if (yields === null) untold.push(pair);
        else strategies.push(strategyOf(pair, yields, swapOf(pair.borrow.mint, pair.supply.mint), nowMs, badMonths));
      }
      return { strategies: strategies.sort(byScore), leftOut: leftOutOf(untold) };
    },
  };
}

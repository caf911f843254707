import { type BankConfiguration, createBankConfigurations } from './bank-configuration.ts';
import { byScore } from './by-score.ts';
import { borrowGap, byBank, type LeftOutBank, type LeftOutReason, supplyGap } from './left-out.ts';
import { yieldsNow } from './net-apy.ts';
import type { PairTerms } from './pair-terms.ts';
import { canBorrow, canSupply, type Pair, pairTermsOf } from './pairs.ts';
import type { Strategy } from './strategy.ts';
import type { StrategyBank } from './strategy-bank.ts';
import { strategyOf } from './strategy-of.ts';
import type { SwapCost } from './swap-cost.ts';

export interface Ranking {
  /** The best first. */
  readonly strategies: readonly Strategy[];
  /** Banks that the program would allow pairs of, which cannot be told for want of a rate. By address; one bank may have two reasons. */
  readonly leftOut: readonly LeftOutBank[];
}

export interface Ranker {
  /** Costs of swaps that no pair makes are ignored; of two for the same mints the later quote counts. */
  rank(banks: readonly StrategyBank[], swapCosts: readonly SwapCost[], nowMs: number): Ranking;
}

/**
 * Ranks again and again: what follows from configuration alone (which pairs there are, their leverage) is kept for as long as both banks
 * are configured the same, so that a new rate costs arithmetic only.
 */
export function createRanker(): Ranker {
  const configurations = createBankConfigurations();
  const memory = new WeakMap<BankConfiguration, WeakMap<BankConfiguration, PairTerms | null>>();

  function rememberedTerms(supply: BankConfiguration, borrow: BankConfiguration): PairTerms | null {
    let bySupply = memory.get(supply);
    if (bySupply === undefined) {
      bySupply = new WeakMap();
      memory.set(supply, bySupply);
    }
    let terms = bySupply.get(borrow);
    if (terms === undefined) {
      terms = pairTermsOf(supply.bank, borrow.bank);
      bySupply.set(borrow, terms);
    }
    return terms;
  }

  function pairsOf(banks: readonly StrategyBank[]): Pair[] {
    const configured = configurations.of(banks);
    const sides = banks.map((bank, index) => ({ bank, configuration: configured[index] as BankConfiguration }));
    const borrows = sides.filter(({ bank }) => canBorrow(bank));
    const pairs: Pair[] = [];
    for (const supply of sides) {
      if (!canSupply(supply.bank)) continue;
      for (const borrow of borrows) {
        const terms = rememberedTerms(supply.configuration, borrow.configuration);
        if (terms !== null) pairs.push({ supply: supply.bank, borrow: borrow.bank, terms });
      }
    }
    return pairs;
  }

  return {
    rank(banks, swapCosts, nowMs) {
      const swaps = swapsByMints(swapCosts);
      const strategies: Strategy[] = [];
      const gaps = new Map<StrategyBank, Set<LeftOutReason>>();
      for (const pair of pairsOf(banks)) {
        const yields = yieldsNow(pair.supply, pair.borrow);
        if (yields === null) {
          note(gaps, pair.supply, supplyGap(pair.supply));
          note(gaps, pair.borrow, borrowGap(pair.borrow));
        } else {
          const swap = swaps.get(mintsKey(pair.borrow.mint, pair.supply.mint)) ?? null;
          strategies.push(strategyOf(pair, yields, swap, nowMs));
        }
      }
      const leftOut = [...gaps].flatMap(([bank, reasons]) => [...reasons].map((reason) => ({ bank, reason })));
      return { strategies: strategies.sort(byScore), leftOut: leftOut.sort(byBank) };
    },
  };
}

/** Once, with nothing kept. */
export function rankStrategies(banks: readonly StrategyBank[], swapCosts: readonly SwapCost[], nowMs: number): Ranking {
  return createRanker().rank(banks, swapCosts, nowMs);
}

function swapsByMints(swapCosts: readonly SwapCost[]): ReadonlyMap<string, SwapCost> {
  const latest = new Map<string, SwapCost>();
  for (const swap of swapCosts) {
    const key = mintsKey(swap.inMint, swap.outMint);
    const other = latest.get(key);
    if (other === undefined || swap.quotedAtMs > other.quotedAtMs) latest.set(key, swap);
  }
  return latest;
}

function mintsKey(inMint: string, outMint: string): string {
  return `${inMint}>${outMint}`;
}

function note(gaps: Map<StrategyBank, Set<LeftOutReason>>, bank: StrategyBank, reason: LeftOutReason | null): void {
  if (reason === null) return;
  const reasons = gaps.get(bank);
  if (reasons === undefined) gaps.set(bank, new Set([reason]));
  else reasons.add(reason);
}

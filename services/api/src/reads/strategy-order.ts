import { compareText, type Strategy } from '@lending/strategies';
import { shownCents, shownHundredths } from './strategy-record.ts';

/** What a list of strategies can be sorted by; the names are those of the record. */
export const STRATEGY_SORTS = [
  'score',
  'net_apy_at_recommended_leverage_pct',
  'net_apy_at_max_leverage_pct',
  'net_apy_7d_pct',
  'net_apy_30d_pct',
  'available_strategy_size_usd',
  'max_leverage',
  'break_even_days',
] as const;
export type StrategySort = (typeof STRATEGY_SORTS)[number];

/** A strategy's place: its sort value and, between equals, its banks. */
export interface StrategyKey {
  readonly value: number | null;
  readonly supply: string;
  readonly borrow: string;
}

/** Where a strategy stands in an order; a value that is not known is null. */
export function strategyKeyOf(strategy: Strategy, sort: StrategySort): StrategyKey {
  const { supply, borrow } = strategy;
  return { value: sortValue(strategy, sort), supply: supply.address, borrow: borrow.address };
}

function sortValue(strategy: Strategy, sort: StrategySort): number | null {
  const { rates, recommended } = strategy;
  switch (sort) {
    case 'score':
      return strategy.score;
    case 'net_apy_at_recommended_leverage_pct':
      return recommended.netApyPct;
    case 'net_apy_at_max_leverage_pct':
      return rates.netApyAtMaxLeveragePct;
    case 'net_apy_7d_pct':
      return rates.netApy7dPct;
    case 'net_apy_30d_pct':
      return rates.netApy30dPct;
    case 'available_strategy_size_usd':
      return shownCents(strategy.sizeUsd);
    case 'max_leverage':
      return shownHundredths(strategy.maxLeverageHundredths);
    case 'break_even_days':
      return recommended.breakEvenDays;
    default:
      return sort satisfies never;
  }
}

/** Largest first, but what is paid back soonest; unknown values come last, equals by the addresses of their banks: the order is total. */
export function compareStrategyKeys(a: StrategyKey, b: StrategyKey, sort: StrategySort): number {
  if (a.value === null || b.value === null) {
    if (a.value !== b.value) return a.value === null ? 1 : -1;
  } else if (a.value !== b.value) {
    return a.value < b.value === (sort === 'break_even_days') ? -1 : 1;
  }
  return compareText(a.supply, b.supply) || compareText(a.borrow, b.borrow);
}

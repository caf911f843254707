import type { StrategyKind, StrategyType } from './strategy.ts';
import type { StrategyBank } from './strategy-bank.ts';

type Side = Pick<StrategyBank, 'mint' | 'assetClass'>;

/** Borrowing the very token that is supplied needs no swap. */
export function typeOf(supply: Side, borrow: Side): StrategyType {
  return supply.mint === borrow.mint ? 'rate_arbitrage' : 'loop';
}

/** What moves the worth of supplying one and owing the other; one's own capital is in what is supplied. A token never moves against itself. */
export function kindOf(supply: Side, borrow: Side): StrategyKind {
  if (typeOf(supply, borrow) === 'rate_arbitrage') return 'rate_arbitrage';
  const isDollar = { supply: supply.assetClass === 'dollar', borrow: borrow.assetClass === 'dollar' };
  if (isDollar.supply && isDollar.borrow) return 'stable';
  if (isDollar.borrow) return 'directional_long';
  if (isDollar.supply) return 'directional_short';
  return supply.assetClass === 'sol' && borrow.assetClass === 'sol' ? 'sol_lst' : 'other';
}

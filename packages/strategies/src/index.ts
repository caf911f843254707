export type { LeverageFigures, ScoreParts, Strategy, StrategyKind, StrategyType } from './strategy.ts';
export { SCORE_VERSION, STRATEGY_KINDS, STRATEGY_TYPES } from './strategy.ts';
export type { StrategyBank, StrategyRates } from './strategy-bank.ts';
export type { SwapCost, SwapRung } from './swap-cost.ts';

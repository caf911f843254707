import type { I80F48, Limit } from '@lending/domain';
import type { BadMonth } from './bad-month.ts';
import type { StrategyBank } from './strategy-bank.ts';
import type { SwapCost } from './swap-cost.ts';

/** `loop` swaps what is borrowed into what is supplied; `rate_arbitrage` borrows the very token it supplies. */
export const STRATEGY_TYPES = ['loop', 'rate_arbitrage'] as const;
export type StrategyType = (typeof STRATEGY_TYPES)[number];

/** What moves the worth of it: nothing much, SOL's staking tokens against SOL, nothing but rates, or a price one way or the other. */
export const STRATEGY_KINDS = [
  'stable',
  'sol_lst',
  'rate_arbitrage',
  'directional_long',
  'directional_short',
  'other',
] as const;
export type StrategyKind = (typeof STRATEGY_KINDS)[number];

/** Grows when the formula of the score or of one of its parts changes. */
export const SCORE_VERSION = 2;

/** Each from 0 to 1, the penalty taking away; and the bad month that two of them are made with. */
export interface ScoreParts {
  readonly carry: number;
  readonly stability: number;
  readonly capacity: number;
  readonly liquidity: number;
  readonly penalty: number;
  readonly badMonth: BadMonth;
}

/** Figures of a pair at one leverage. */
export interface LeverageFigures {
  /** Percent a year on own capital. */
  readonly netApyPct: number;
  /** Assets ÷ debts at maintenance weights; null without debt. */
  readonly healthRatio: number | null;
  /** How far the supply's price in the debt's may fall, percent; null without debt. */
  readonly priceRatioDropPct: number | null;
  /** What getting in costs, basis points of own capital; null where the swap's cost is not known. */
  readonly entryBps: number | null;
  /** Days until the net yield has paid for it; null where it never does, or is not known. */
  readonly breakEvenDays: number | null;
}

/** A deposit and a borrow that the program allows together, with what they would earn. */
export interface Strategy {
  readonly supply: StrategyBank;
  readonly borrow: StrategyBank;
  readonly type: StrategyType;
  readonly kind: StrategyKind;
  readonly rates: {
    readonly lendApyPct: number;
    readonly nativeApyPct: number | null;
    readonly emissionsApyPct: number | null;
    readonly borrowApyPct: number;
    /** What the borrowed token earns by itself: the debt grows by it. */
    readonly borrowNativeApyPct: number;
    /** At leverage 1: supplying alone. */
    readonly netApyBasePct: number;
    readonly netApyAtMaxLeveragePct: number;
    /** At recommended leverage, with the means of that time; null where too little is known. */
    readonly netApy7dPct: number | null;
    readonly netApy30dPct: number | null;
  };
  /** Hundredths, rounded down: exactly what a loop may ask for. */
  readonly maxLeverageHundredths: bigint;
  /** Null where the weights set no bound. */
  readonly theoreticalMaxLeverage: number | null;
  readonly recommendedLeverageHundredths: bigint;
  readonly recommended: LeverageFigures;
  readonly emodeApplied: boolean;
  /** Own capital that fits at recommended leverage, rounded down. */
  readonly sizeUsd: I80F48;
  readonly bindingConstraint: Limit;
  /** Basis points of what is borrowed: the bank's fee, and the swap's cost as quoted at `swapSizeUsd`; null where there is no swap, or no quote. */
  readonly originationFeeBps: number;
  /** What the debt's mint was last quoted for the supply's; null where there is no swap, or no quote. */
  readonly swap: SwapCost | null;
  readonly swapCostBps: number | null;
  readonly swapSizeUsd: number | null;
  readonly swapQuotedAtMs: number | null;
  readonly score: number;
  readonly scoreParts: ScoreParts;
}

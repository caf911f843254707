import type { I80F48, RiskBank, Venue } from '@lending/domain';
import type { MonthGrowths } from './month-growths.ts';

/** Rates of one bank as they are shown: percent a year, compounded; null where it is not known. */
export interface StrategyRates {
  /** Interest on a deposit, and on a debt less what the pool pays its borrowers. */
  readonly interestDeposit: number | null;
  readonly totalBorrow: number | null;
  /** What the token earns by itself: a deposit's gain, and a debt's cost. */
  readonly native: number | null;
  /** What the pool pays on deposits besides. */
  readonly emissionsDeposit: number | null;
}

/** A bank as one side of a strategy may use it. */
export interface StrategyBank {
  readonly address: string;
  readonly group: string;
  readonly mint: string;
  readonly symbol: string | null;
  readonly venue: Venue;
  /** Configuration, as the risk engine reads it; the same that builders judge. */
  readonly risk: RiskBank;
  /** A part of what is borrowed. */
  readonly originationFee: I80F48;
  /** What the token is: decides the kind of a strategy. */
  readonly assetClass: 'dollar' | 'sol' | 'other';
  /** By configuration, whatever today's caps and liquidity: states, flags and a venue that takes deposits. */
  readonly takesDeposits: boolean;
  readonly lendsOut: boolean;
  /** Why the bank cannot be used just now though its configuration allows it: a stale price, a circuit breaker, a paused group. Null where nothing stands in the way. */
  readonly blockedBy: 'stale_price' | 'circuit_breaker' | 'paused_group' | null;
  readonly rates: { readonly now: StrategyRates; readonly week: StrategyRates; readonly month: StrategyRates };
  /** How its price moved, as far as closing prices of days are kept; null where there are none. */
  readonly monthGrowths: MonthGrowths | null;
  /** USD; null is none set. */
  readonly depositRoomUsd: I80F48 | null;
  readonly borrowRoomUsd: I80F48 | null;
  /** USD that can leave now; null is not known. Rate limiters are not in it: the program lets flash loans past them. */
  readonly liquidityUsd: I80F48 | null;
}

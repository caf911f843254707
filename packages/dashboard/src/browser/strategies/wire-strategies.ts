import type { WireAsOf, WireCoverage, WireWarning } from '../data/wire-records.ts';

/** What of the service's strategies the page reads. */

export const STRATEGY_KINDS = [
  'stable',
  'sol_lst',
  'rate_arbitrage',
  'directional_long',
  'directional_short',
  'other',
] as const;
export type StrategyKind = (typeof STRATEGY_KINDS)[number];

export interface WireSide {
  readonly bank: string;
  readonly symbol: string | null;
  readonly mint: string;
  readonly venue: string;
}

export interface WireScoreParts {
  readonly carry: number;
  readonly stability: number;
  readonly capacity: number;
  readonly liquidity: number;
  readonly penalty: number;
  readonly bad_month_pct: number;
  readonly bad_month_assumed: boolean;
}

export interface WireStrategy {
  readonly supply: WireSide;
  readonly borrow: WireSide;
  readonly type: 'loop' | 'rate_arbitrage';
  readonly kind: StrategyKind;
  readonly rates: {
    readonly lend_apy_pct: number;
    readonly native_apy_pct: number | null;
    readonly emissions_apy_pct: number | null;
    readonly borrow_apy_pct: number;
    readonly borrow_native_apy_pct: number;
    readonly net_apy_base_pct: number;
    readonly net_apy_at_max_leverage_pct: number;
    readonly net_apy_at_recommended_leverage_pct: number;
    readonly net_apy_7d_pct: number | null;
    readonly net_apy_30d_pct: number | null;
  };
  readonly max_leverage: number;
  readonly theoretical_max_leverage: number | null;
  readonly recommended_leverage: number;
  readonly available_strategy_size_usd: number;
  readonly binding_constraint: string;
  readonly emode_applied: boolean;
  readonly liquidation: { readonly health_ratio: number | null; readonly price_ratio_drop_pct: number | null };
  readonly cost: {
    readonly entry_bps: number | null;
    readonly break_even_days: number | null;
    readonly origination_fee_bps: number;
    readonly swap_bps: number | null;
    readonly swap_size_usd: number | null;
    readonly swap_quoted_at: string | null;
  };
  readonly score: number;
  readonly score_parts: WireScoreParts;
  readonly score_version: number;
}

export interface WireStrategiesReply {
  readonly strategies: readonly WireStrategy[];
  /** Strategies that match, on all pages. */
  readonly total: number;
  readonly next_cursor: string | null;
  readonly as_of: WireAsOf;
  readonly coverage: WireCoverage;
  readonly warnings: readonly WireWarning[];
  readonly empty_reason?: string | undefined;
}

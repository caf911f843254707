import type { WireAsOf, WireWarning } from '../data/wire-records.ts';

/** What of the service's accounts and activity the pages read. */

export type HealthStatus = 'healthy' | 'moderate' | 'warning' | 'critical' | 'liquidatable' | 'unknown';

export interface WireHealth {
  readonly status: HealthStatus;
  readonly health_factor: number | null;
  readonly health_ratio: number | null;
  readonly health_usd: number | null;
  readonly assets_usd_maint: number | null;
  readonly liabilities_usd_maint: number | null;
  readonly free_collateral_usd: number | null;
  readonly weakest: {
    readonly bank: string;
    readonly symbol: string | null;
    readonly liquidation_price_usd: number | null;
    readonly price_change_pct: number;
  } | null;
  readonly oracle_issues: readonly {
    readonly bank: string;
    readonly symbol: string | null;
    readonly side: 'lend' | 'borrow';
    readonly reason: string;
    readonly price_time: string | null;
  }[];
}

export interface WireStress {
  readonly shock_pct: number;
  readonly applies_to: readonly string[];
  readonly health_ratio: number | null;
  readonly status: HealthStatus;
}

export interface WireHealthReply extends WireHealth {
  readonly account: string;
  readonly stress: readonly WireStress[];
  readonly as_of: WireAsOf;
  readonly warnings: readonly WireWarning[];
}

export interface WirePosition {
  readonly bank: string;
  readonly symbol: string | null;
  readonly mint: string | null;
  readonly venue: string | null;
  readonly side: 'lend' | 'borrow';
  readonly amount_ui: number | null;
  readonly amount_raw: string | null;
  readonly amount_usd: number | null;
  readonly apy_pct: number | null;
  readonly weight_maint: number | null;
  readonly weighted_usd: number | null;
  readonly max_withdraw_ui: number | null;
  readonly max_withdraw_limited_by: string | null;
  readonly liquidation_price_usd: number | null;
  readonly price_change_to_liquidation_pct: number | null;
}

export interface WireMaxBorrow {
  readonly bank: string;
  readonly symbol: string | null;
  readonly amount_ui: number | null;
  readonly amount_usd: number | null;
  readonly limited_by: string | null;
}

export interface WireOrder {
  readonly address: string;
  readonly trigger: 'stop_loss' | 'take_profit' | 'both' | 'unknown' | null;
  readonly stop_loss: number | null;
  readonly take_profit: number | null;
  readonly max_slippage_pct: number | null;
  readonly banks: readonly string[];
}

export interface WireAccount {
  readonly address: string;
  readonly authority: string | null;
  readonly balance_slots_used: number;
  readonly balance_slots_max: number;
  readonly health: WireHealth;
  readonly equity_usd: number | null;
  readonly assets_usd: number | null;
  readonly liabilities_usd: number | null;
  readonly leverage: number | null;
  readonly net_apy_pct: number | null;
  readonly positions: readonly WirePosition[];
  readonly max_borrow: readonly WireMaxBorrow[] | null;
  readonly orders: readonly WireOrder[];
}

export interface WireAddressCoverage {
  readonly complete: boolean;
  readonly reason: string | null;
}

export interface WireAccountsReply {
  readonly authority: string | null;
  readonly accounts: readonly WireAccount[];
  readonly next_cursor: string | null;
  readonly as_of: WireAsOf;
  readonly coverage: WireAddressCoverage;
  readonly warnings: readonly WireWarning[];
  readonly empty_reason?: string | undefined;
}

export interface WireLeg {
  readonly bank: string;
  readonly symbol: string | null;
  readonly action: 'deposit' | 'withdraw' | 'borrow' | 'repay' | 'seize' | 'write_off';
  readonly amount_ui: number | null;
  readonly amount_usd: number | null;
  readonly close_side: boolean;
}

export interface WireActivity {
  readonly id: string;
  readonly signature: string;
  readonly slot: number;
  readonly time: string;
  readonly finality: 'confirmed' | 'finalized';
  readonly kind: string;
  readonly account: string;
  readonly authority: string;
  readonly actor: string;
  readonly legs: readonly WireLeg[];
}

export interface WireActivityReply {
  readonly activity?: readonly WireActivity[] | undefined;
  readonly next_cursor: string | null;
  readonly as_of: WireAsOf;
  readonly coverage: WireAddressCoverage;
  readonly empty_reason?: string | undefined;
}

export interface WireLiveHealth {
  readonly account: string;
  readonly from: HealthStatus | null;
  readonly to: HealthStatus;
  readonly health: WireHealth;
}

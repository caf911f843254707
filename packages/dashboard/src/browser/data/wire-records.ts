/**
 * What of the service's records the pages read. The api's tests compare these with its own schemas, so that a field that is renamed
 * there fails to compile here.
 */

export interface WireRates {
  readonly total_deposit_apy_pct: number | null;
  readonly total_borrow_apy_pct: number | null;
  readonly interest_deposit_apy_pct: number | null;
  readonly interest_borrow_apy_pct: number | null;
  readonly native_apy_pct: number | null;
  readonly emissions_deposit_apy_pct: number | null;
  readonly emissions_borrow_apy_pct: number | null;
  readonly deposit_apy_7d_pct: number | null;
  readonly deposit_apy_30d_pct: number | null;
  readonly borrow_apy_7d_pct: number | null;
  readonly borrow_apy_30d_pct: number | null;
  readonly realized_deposit_apy_30d_pct: number | null;
  readonly utilization_pct: number | null;
}

export interface WireSize {
  readonly deposits_usd: number | null;
  readonly borrows_usd: number | null;
  readonly available_liquidity_usd: number | null;
  readonly deposits: number | null;
  readonly borrows: number | null;
  readonly available_liquidity: number | null;
  readonly deposit_limit_usd: number | null;
  readonly borrow_limit_usd: number | null;
  readonly deposit_capacity_remaining_usd: number | null;
  readonly borrow_capacity_remaining_usd: number | null;
}

export interface WireAsOf {
  readonly slot: number | null;
  readonly time: string;
  readonly age_seconds: number;
  readonly stale: boolean;
  readonly source: string;
}

export interface WireWarning {
  readonly level: 'info' | 'warning' | 'error';
  readonly code: string;
  readonly message: string;
  /** The bank it is about. */
  readonly bank?: string | undefined;
}

export interface WireBank {
  readonly address: string;
  readonly symbol: string | null;
  readonly mint: string;
  readonly venue: string;
  readonly decimals: number;
  readonly price_usd: number | null;
  readonly price_low_usd: number | null;
  readonly price_high_usd: number | null;
  readonly operational_state: string;
  readonly risk_tier: string;
  readonly asset_tag: string;
  readonly borrowable: boolean;
  readonly actions_allowed: readonly string[];
  readonly rates: WireRates;
  readonly size: WireSize;
  readonly weights: {
    readonly asset_weight_init: number;
    readonly asset_weight_maint: number;
    readonly liability_weight_init: number | null;
    readonly liability_weight_maint: number | null;
  };
  readonly emode: {
    readonly tag: number;
    readonly entries: readonly {
      readonly collateral_tag: number;
      readonly asset_weight_init: number;
      readonly asset_weight_maint: number;
    }[];
  } | null;
  readonly oracle: {
    readonly type: string;
    readonly price_time: string | null;
    readonly age_seconds: number | null;
    readonly max_age_seconds: number;
    readonly stale: boolean | null;
  };
  readonly reserve?:
    | {
        readonly address: string;
        readonly market_name: string | null;
        readonly status: string;
        readonly status_reasons: readonly string[];
        readonly exchange_rate: string | null;
        readonly deposits: number | null;
        readonly available_liquidity: number | null;
        readonly deposit_limit: number | null;
        readonly utilization_pct: number | null;
        readonly borrow_apy_pct: number | null;
      }
    | null
    | undefined;
}

export interface WireBankReply extends WireBank {
  readonly as_of: WireAsOf;
  readonly warnings: readonly WireWarning[];
}

/** A bank as the list of banks asks for it, by its fields. */
export type WireListedBank = Pick<
  WireBank,
  'address' | 'symbol' | 'venue' | 'operational_state' | 'borrowable' | 'actions_allowed'
> & {
  readonly rates: Pick<
    WireRates,
    'total_deposit_apy_pct' | 'total_borrow_apy_pct' | 'native_apy_pct' | 'utilization_pct'
  >;
  readonly size: Pick<WireSize, 'deposits_usd' | 'borrows_usd' | 'available_liquidity_usd'>;
  readonly history?: {
    readonly time: readonly string[];
    readonly deposit_apy_pct: readonly (number | null)[];
    readonly borrow_apy_pct: readonly (number | null)[];
  };
};

export interface WireCoverage {
  readonly venues_missing: readonly {
    readonly venue: string;
    readonly reason: string;
    readonly since: string | null;
  }[];
  readonly banks_skipped: readonly { readonly bank: string; readonly reason: string }[];
  readonly complete: boolean;
}

export interface WireBanksReply {
  readonly banks: readonly WireListedBank[];
  readonly next_cursor: string | null;
  readonly as_of: WireAsOf;
  readonly coverage: WireCoverage;
  readonly warnings: readonly WireWarning[];
}

export interface WireHistoryReply {
  readonly interval: string;
  readonly columns?:
    | ({ readonly [name in HistoryColumn]?: readonly (number | null)[] | undefined } & {
        readonly time?: readonly string[] | undefined;
        readonly exchange_rate?: readonly (string | null)[] | undefined;
      })
    | undefined;
  readonly first_available: string | null;
  readonly last_available: string | null;
  readonly gap_count: number;
}
export type HistoryColumn =
  | 'deposit_apy_pct'
  | 'borrow_apy_pct'
  | 'native_apy_pct'
  | 'emissions_apy_pct'
  | 'utilization_pct'
  | 'deposits'
  | 'borrows'
  | 'price_usd';

export interface WireLimitsReply {
  readonly deposit_limit_unit: 'token' | 'receipt';
  readonly limits: readonly {
    readonly time: string;
    readonly first_seen: boolean;
    readonly deposit_limit: number | null;
    readonly borrow_limit: number | null;
    readonly value_limit_usd: number | null;
  }[];
}

export interface WireLiveRate {
  readonly address: string;
  readonly of: 'bank' | 'reserve';
  readonly venue: string;
  readonly slot: number;
  readonly time: string;
  readonly rates: WireRates;
}

export interface WireLiveBank {
  readonly changed: readonly string[];
  readonly bank: Pick<
    WireBank,
    'address' | 'symbol' | 'venue' | 'operational_state' | 'borrowable' | 'actions_allowed' | 'size'
  >;
}

/** What each event of the stream carries. Of activity and health the pages of accounts know more. */
export interface WireLiveEvents {
  readonly rate: WireLiveRate;
  readonly bank: WireLiveBank;
  readonly health: { readonly account: string; readonly from: string | null; readonly to: string };
  readonly activity: { readonly [name: string]: unknown };
}

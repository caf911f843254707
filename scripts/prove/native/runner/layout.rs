//! Where the program keeps what came after 0.1.9.

use marginfi_type_crate::types::{Balance, Bank, FeeState, MarginfiAccount, MarginfiGroup, PremiumEntry};
use std::mem::{offset_of, size_of};

/// By type: its size and the offsets of fields, without discriminators.
macro_rules! places {
    ($($name:ident: $($($field:ident).+),+;)+) => {
        serde_json::json!({ $(stringify!($name): {
            "size": size_of::<$name>(),
            "fields": [$([stringify!($($field).+).replace(' ', ""), offset_of!($name, $($field).+)]),+],
        }),+ })
    };
}

pub fn layout() -> serde_json::Value {
    places! {
        Balance: tag, premium_rate_snapshot, asset_shares, liability_shares, premium_outstanding, last_update;
        Bank: config.cb_window_max_up_bps, config.cb_window_max_down_bps, config.cb_window_seconds,
            config.cb_deviation_bps_tiers, config.cb_tier_durations_seconds, config.cb_escalation_window_mult,
            config.cb_ema_alpha_bps, flags, cache.price_multiplier, liquidation_liquidator_fee,
            liquidation_insurance_fee, rate_limiter, collected_premium_outstanding, bank_seed, cb_halt_started_at,
            cb_halt_ended_at, cb_tier, cb_tier3_consecutive_trips, cb_pre_break_state, cb_last_observed_slot,
            cb_last_oracle_source_time, cb_reference_price, cb_window_reference_price, cb_window_started_at,
            cb_frozen_seconds_pending, premium_tag, premium_activated_at;
        FeeState: account_transfer_fee, pause_delegate_admin;
        MarginfiAccount: lending_account.balances, account_flags, health_cache.program_version, active_orders,
            liquidation_record, indexer_flags, rebalance_execution_seq, liquidation_tagged_at;
        MarginfiGroup: same_asset_emode_init_leverage, same_asset_emode_maint_leverage, rate_limiter,
            delegate_flow_admin, premium_settings.timestamp, premium_settings.entry_count,
            premium_settings.entry_capacity, premium_entries;
        PremiumEntry: collateral_tag, liability_tag, rate;
    }
}

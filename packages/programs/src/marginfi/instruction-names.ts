import { anchorDiscriminator } from '#layout/anchor-discriminator.ts';
import { readList } from '#layout/list.ts';

/**
 * Every instruction that a version of the program has had, 0.1.0 to 0.1.12. Most are not laid out here: what is not activity needs no
 * more than to be told apart from what this build does not know.
 * @see marginfi-v2 programs/marginfi/src/lib.rs
 */
const NAMES = readList(`
  admin_close_account, admin_super_withdraw, config_group_fee, configure_bank_rate_limits,
  configure_deleverage_withdrawal_limit, configure_group_rate_limits, copy_fee_state_to_v2, disable_staked_oracles,
  drift_claim_bad_debt, drift_deposit, drift_harvest_reward, drift_init_user, drift_withdraw, edit_fee_state_premium,
  edit_global_fee_state, edit_staked_settings, enable_staked_oracle_onramp, end_deleverage, end_liquidation,
  init_bank_metadata, init_global_fee_state, init_global_fee_state_v2, init_staked_settings, juplend_deposit,
  juplend_init_position, juplend_withdraw, kamino_deposit, kamino_harvest_reward, kamino_init_obligation,
  kamino_withdraw, lending_account_borrow, lending_account_clear_emissions, lending_account_close_balance,
  lending_account_deposit, lending_account_end_flashloan, lending_account_liquidate, lending_account_pulse_health,
  lending_account_repay, lending_account_settle_emissions, lending_account_sort_balances,
  lending_account_start_flashloan, lending_account_withdraw, lending_account_withdraw_emissions,
  lending_account_withdraw_emissions_permissionless, lending_pool_accrue_bank_interest, lending_pool_add_bank,
  lending_pool_add_bank_drift, lending_pool_add_bank_juplend, lending_pool_add_bank_kamino,
  lending_pool_add_bank_permissionless, lending_pool_add_bank_solend, lending_pool_add_bank_with_seed,
  lending_pool_backfill_bank_is_t22_flag, lending_pool_backfill_staked_bank_validator_vote_account,
  lending_pool_clear_circuit_breaker, lending_pool_clone_bank, lending_pool_clone_emode, lending_pool_close_bank,
  lending_pool_collect_bank_fees, lending_pool_collect_bank_premium_fees, lending_pool_configure_bank,
  lending_pool_configure_bank_emode, lending_pool_configure_bank_gov, lending_pool_configure_bank_interest_only,
  lending_pool_configure_bank_limits_only, lending_pool_configure_bank_oracle,
  lending_pool_configure_bank_oracle_scope, lending_pool_configure_bank_premium, lending_pool_configure_group_premium,
  lending_pool_emissions_deposit, lending_pool_force_tokenless_repay_complete, lending_pool_handle_bankruptcy,
  lending_pool_init_same_asset_emode_registry, lending_pool_pulse_bank_price_cache,
  lending_pool_reclaim_emissions_vault, lending_pool_resize_bank_account, lending_pool_resize_group_account,
  lending_pool_set_bank_same_asset_emode_eligibility, lending_pool_set_fixed_oracle_price,
  lending_pool_set_oracle_price, lending_pool_setup_emissions, lending_pool_update_emissions_parameters,
  lending_pool_update_fees_destination_account, lending_pool_withdraw_fees, lending_pool_withdraw_fees_permissionless,
  lending_pool_withdraw_insurance, marginfi_account_close, marginfi_account_close_liq_record,
  marginfi_account_close_order, marginfi_account_close_rebalance_order, marginfi_account_end_execute_order,
  marginfi_account_end_rebalance, marginfi_account_init_liq_record, marginfi_account_initialize,
  marginfi_account_initialize_pda, marginfi_account_keeper_close_order, marginfi_account_place_order,
  marginfi_account_place_rebalance_order, marginfi_account_set_freeze, marginfi_account_set_keeper_close_flags,
  marginfi_account_settle_rebalance_tip, marginfi_account_start_execute_order, marginfi_account_start_rebalance,
  marginfi_account_tag_liq_record, marginfi_account_top_up_rebalance_fee_pool,
  marginfi_account_update_emissions_destination_account, marginfi_account_update_rebalance_order,
  marginfi_account_withdraw_rebalance_fee_pool, marginfi_group_configure, marginfi_group_configure_gov,
  marginfi_group_initialize, marginfi_group_set_governance_admin, migrate_curve, migrate_pyth_push_oracle,
  monitor_archive_initialize, monitor_archive_upsert_batch, panic_pause, panic_unpause, panic_unpause_permissionless,
  propagate_fee_state, propagate_kamino_market_emergency, propagate_staked_settings, purge_deleverage_balance,
  resize_global_fee_state, set_account_flag, set_new_account_authority, solend_deposit, solend_init_obligation,
  solend_withdraw, start_deleverage, start_liquidation, super_admin_deposit, super_admin_withdraw, sync_indexer_flags,
  transfer_to_new_account, transfer_to_new_account_pda, unset_account_flag, update_deleverage_withdrawals,
  update_group_rate_limiter, write_bank_metadata, write_bank_metadata_pre_init
`);

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const BY_DISCRIMINATOR = new Map(NAMES.map((name) => [hexOf(anchorDiscriminator('global', name)), name]));

/** The name of the program's instruction that data begins as; null for one that no version known here has. */
export function marginfiInstructionName(data: Uint8Array): string | null {
  return BY_DISCRIMINATOR.get(hexOf(data.subarray(0, 8))) ?? null;
}

import type { InstructionUnits } from '#programs/anchor/program-instruction.ts';

/**
 * Costs of the program's own code. Those that 0.1.1 has are measured with it in LiteSVM, rounded up, without the valuing of balances and
 * the accrual of interest; the others are ours, near the likes of them. Integrations derive and check many addresses: with the venue's part a JupLend deposit takes
 * more than the 200,000 that one instruction is given unasked.
 */
export const MARGINFI_UNITS: InstructionUnits = {
  marginfi_account_initialize: 6_500n,
  marginfi_account_initialize_pda: 9_000n,
  marginfi_account_close: 2_500n,
  lending_account_deposit: 13_700n,
  lending_account_withdraw: 26_000n,
  lending_account_borrow: 24_000n,
  lending_account_repay: 13_300n,
  lending_account_close_balance: 4_000n,
  lending_account_start_flashloan: 5_500n,
  lending_account_end_flashloan: 2_500n,
  lending_account_liquidate: 35_000n,
  lending_account_pulse_health: 4_000n,
  lending_pool_accrue_bank_interest: 4_000n,
  lending_pool_pulse_bank_price_cache: 14_000n,
  lending_pool_handle_bankruptcy: 12_000n,
  propagate_fee_state: 3_000n,
  marginfi_account_init_liq_record: 8_000n,
  start_liquidation: 12_000n,
  end_liquidation: 12_000n,
  transfer_to_new_account: 14_000n,
  transfer_to_new_account_pda: 16_000n,
  kamino_deposit: 46_000n,
  kamino_withdraw: 48_000n,
  solend_deposit: 38_000n,
  solend_withdraw: 42_000n,
  juplend_deposit: 132_000n,
  juplend_withdraw: 118_000n,
  marginfi_account_place_rebalance_order: 14_000n,
  marginfi_account_update_rebalance_order: 4_000n,
  marginfi_account_close_rebalance_order: 4_000n,
  marginfi_account_top_up_rebalance_fee_pool: 5_000n,
  marginfi_account_withdraw_rebalance_fee_pool: 5_000n,
  marginfi_account_start_rebalance: 60_000n,
  marginfi_account_end_rebalance: 50_000n,
  marginfi_account_settle_rebalance_tip: 25_000n,
};

/** Reading a balance's bank and oracle and valuing both; measured as the others. Reading an oracle of two accounts costs no more here. */
export const UNITS_PER_BALANCE = 12_000n;

/** Bringing a bank's interest up to date where a second has passed: with all fees, measured as the others, and where nothing is owed. */
export const ACCRUAL_UNITS = { interest: 22_700n, none: 1_200n };

import type { BankRow } from '@lending/store';

/** 2026-11-21T10:00:00Z, the chain's time in tests. */
export const CHAIN_TIME_MS = Date.UTC(2026, 10, 21, 10, 0, 0);

export const USDC_BANK = '2s37akK2eyBbp8DZgCm7RtsaEz8eJP3Nxd4urLHQv7yB';
export const SOL_BANK = 'CCKtUs6Cgwo4aaQUmBPmyoApH2gUDErxNZCAntD6LYGh';
export const DRIFT_BANK = '5GZmPEr6czroe3ax29D2FHyKuT64ixj5evB2NqWjUk1d';
export const USDC_MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

/** A P0 USDC bank in order: 1,000 tokens deposited, 600 borrowed, sampled and priced at the chain's time. */
export function bankRow(changes: Partial<BankRow> = {}): BankRow {
  const time = new Date(CHAIN_TIME_MS);
  return {
    address: USDC_BANK,
    group_address: '4qp6Fx6tnZkY5Wropq9wUYgtFxXKwE6viZxFHg3rdAG8',
    venue: 'p0',
    mint: USDC_MINT,
    decimals: 6,
    token_program: 'spl',
    symbol: 'USDC',
    asset_tag: 0,
    operational_state: 'Operational',
    risk_tier: 'Collateral',
    asset_weight_init: '0.9',
    asset_weight_maint: '0.95',
    liability_weight_init: '1.1',
    liability_weight_maint: '1.05',
    deposit_limit_base: '5000000000',
    borrow_limit_base: null,
    flags: '0',
    emode: { tag: 0, entries: [] },
    oracle_setup: 'PythPushOracle',
    oracle_key: 'Dpw1EAVrSB1ibxiDQyTAW6Zip3J4Btk2x4SgApQCeFbX',
    oracle_max_age_seconds: 60,
    rate_curve: [
      { utilization: '0', baseApr: '0' },
      { utilization: '1', baseApr: '0.5' },
    ],
    source: 'chain',
    slot: 400_000_000n,
    slot_time: new Date(CHAIN_TIME_MS - 3_600_000),
    sample_slot: 400_001_000n,
    sample_time: time,
    sample_source: 'chain',
    deposit_apr: '0.05',
    borrow_apr: '0.1',
    utilization: '0.6',
    total_assets_base: '1000000000',
    total_liabilities_base: '600000000',
    available_liquidity_base: '400000000',
    price_slot: 400_001_000n,
    price_slot_time: time,
    price_usd: '2',
    price_low_usd: '1.9',
    price_high_usd: '2.1',
    price_publish_time: new Date(CHAIN_TIME_MS - 10_000),
    price_reason: null,
    ...changes,
  };
}

/** A bank on another venue: configured, never sampled, not priced. */
export function driftRow(changes: Partial<BankRow> = {}): BankRow {
  return bankRow({
    address: DRIFT_BANK,
    venue: 'drift',
    asset_tag: 4,
    operational_state: 'ReduceOnly',
    oracle_setup: 'DriftPythPull',
    sample_slot: null,
    sample_time: null,
    sample_source: null,
    deposit_apr: null,
    borrow_apr: null,
    utilization: null,
    total_assets_base: null,
    total_liabilities_base: null,
    available_liquidity_base: null,
    price_slot: null,
    price_slot_time: null,
    price_usd: null,
    price_low_usd: null,
    price_high_usd: null,
    price_publish_time: null,
    ...changes,
  });
}

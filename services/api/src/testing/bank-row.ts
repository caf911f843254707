import type { BankAuditRow, BankRow, HistorySpan, RateBucketRow, ReserveRow } from '@lending/store';

/** 2026-11-21T10:00:00Z, the chain's time in tests. */
export const CHAIN_TIME_MS = Date.UTC(2026, 10, 21, 10, 0, 0);

export const USDC_BANK = '2s37akK2eyBbp8DZgCm7RtsaEz8eJP3Nxd4urLHQv7yB';
export const SOL_BANK = 'CCKtUs6Cgwo4aaQUmBPmyoApH2gUDErxNZCAntD6LYGh';
export const DRIFT_BANK = '5GZmPEr6czroe3ax29D2FHyKuT64ixj5evB2NqWjUk1d';
const DRIFT_SPOT_MARKET = '6gMq3mRCKf8aP3ttTyYhuijVZ2LGi14oDsBbkgubfLB3';
export const KAMINO_BANK = '27Cpv49jQ3hav8zF3qZjp7T78ATdUTZN4m9x389Z8uH4';
export const KAMINO_RESERVE = 'D6q6wuQSrifJKZYpR1M8R4YawnLDtDsMmWM1NbBmgJ59';
export const KAMINO_MARKET = '7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF';
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
    premium: null,
    premium_pairs: null,
    oracle_setup: 'PythPushOracle',
    oracle_key: 'Dpw1EAVrSB1ibxiDQyTAW6Zip3J4Btk2x4SgApQCeFbX',
    oracle_max_age_seconds: 60,
    rate_curve: [
      { utilization: '0', baseApr: '0' },
      { utilization: '1', baseApr: '0.5' },
    ],
    venue_account: null,
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
    native_apr: null,
    emissions_deposit_apr: null,
    emissions_borrow_apr: null,
    asset_share_value: '1',
    liability_share_value: '1',
    exchange_rate: null,
    native_exchange_rate: null,
    slot_ms: null,
    price_slot: 400_001_000n,
    price_slot_time: time,
    price_usd: '2',
    price_low_usd: '1.9',
    price_high_usd: '2.1',
    price_publish_time: new Date(CHAIN_TIME_MS - 10_000),
    price_reason: null,
    measured_breaker: null,
    measured_price: null,
    reserve_market: null,
    reserve_market_name: null,
    reserve_status: null,
    reserve_status_reasons: null,
    reserve_deposit_limit_base: null,
    reserve_deposit_room_base: null,
    reserve_borrow_limit_base: null,
    reserve_borrow_room_base: null,
    reserve_withdraw_room_base: null,
    reserve_price_usd: null,
    reserve_price_time: null,
    reserve_incentives: null,
    reserve_slot: null,
    reserve_slot_time: null,
    reserve_sample_slot: null,
    reserve_sample_time: null,
    reserve_deposit_apr: null,
    reserve_borrow_apr: null,
    reserve_utilization: null,
    reserve_total_assets_base: null,
    reserve_total_liabilities_base: null,
    reserve_available_liquidity_base: null,
    ...changes,
  };
}

/** A bank on another venue whose reserve nobody has read: configured, never sampled, not priced. */
export function driftRow(changes: Partial<BankRow> = {}): BankRow {
  return bankRow({
    address: DRIFT_BANK,
    venue: 'drift',
    venue_account: DRIFT_SPOT_MARKET,
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

/**
 * A Kamino USDC bank in order: 1,000,000 tokens in a reserve of 500,000,000, sampled and priced at the chain's time. Its cap is
 * 2,000,000 cTokens, which at 1.25 tokens each is 2,500,000 tokens; the reserve has room for 100,000 tokens.
 */
export function kaminoRow(changes: Partial<BankRow> = {}): BankRow {
  return bankRow({
    address: KAMINO_BANK,
    venue: 'kamino',
    asset_tag: 3,
    oracle_setup: 'KaminoPythPush',
    venue_account: KAMINO_RESERVE,
    deposit_limit_base: '2000000000000',
    borrow_limit_base: '0',
    deposit_apr: '0.034208306',
    borrow_apr: '0.048739889',
    emissions_deposit_apr: '0.01',
    emissions_borrow_apr: '0',
    utilization: '0.78',
    total_assets_base: '1000000000000',
    total_liabilities_base: '0',
    available_liquidity_base: '1000000000000',
    exchange_rate: '1.25',
    slot_ms: '400',
    price_usd: '1',
    reserve_market: KAMINO_MARKET,
    reserve_market_name: 'Main Market',
    reserve_status: 'active',
    reserve_status_reasons: [],
    reserve_deposit_limit_base: '500100000000000',
    reserve_deposit_room_base: '100000000000',
    reserve_borrow_limit_base: null,
    reserve_borrow_room_base: null,
    reserve_withdraw_room_base: '110000000000000',
    reserve_slot: 400_001_000n,
    reserve_slot_time: new Date(CHAIN_TIME_MS),
    reserve_sample_slot: 400_001_000n,
    reserve_sample_time: new Date(CHAIN_TIME_MS),
    reserve_deposit_apr: '0.034208306',
    reserve_borrow_apr: '0.048739889',
    reserve_utilization: '0.78',
    reserve_total_assets_base: '500000000000000',
    reserve_total_liabilities_base: '390000000000000',
    reserve_available_liquidity_base: '110000000000000',
    ...changes,
  });
}

/** What two samples of a P0 bank left in a bucket. */
export function bucketRow(bucket: Date, changes: Partial<RateBucketRow> = {}): RateBucketRow {
  return {
    bank: USDC_BANK,
    bucket,
    source: 'poller',
    samples: 2,
    slot_first: 400_000_000n,
    slot_last: 400_000_100n,
    covered_seconds: 60,
    deposit_apr: 0.05,
    borrow_apr: 0.1,
    native_apr: null,
    emissions_deposit_apr: null,
    emissions_borrow_apr: null,
    utilization: 0.6,
    deposit_apr_min: 0.04,
    deposit_apr_max: 0.06,
    deposit_apr_close: 0.055,
    total_assets_base: '1000000000',
    total_liabilities_base: '600000000',
    available_liquidity_base: '400000000',
    asset_share_value: '1.01',
    liability_share_value: '1.02',
    exchange_rate: null,
    native_exchange_rate: null,
    price_usd: '2',
    ...changes,
  };
}

/** Of a bank that was sampled at one time and never stored. */
export function historySpan(changes: Partial<HistorySpan>): HistorySpan {
  return { first_sample: null, first_hour: null, first_day: null, last: null, rolled_before: null, ...changes };
}

/** A figure that agreed whenever it was compared; a test names what matters to it. */
export function auditRow(changes: Partial<BankAuditRow> = {}): BankAuditRow {
  return {
    bank: SOL_BANK,
    figure: 'rates',
    compared: 412n,
    differed: 0n,
    largest_units: '0',
    last_units: '0',
    agreed_in_row: 8,
    unverified_since: null,
    last_difference: null,
    slot: 400_001_000n,
    slot_time: new Date(CHAIN_TIME_MS),
    ...changes,
  };
}

/** One that differed and is not trusted. */
export function differingRow(changes: Partial<BankAuditRow> = {}): BankAuditRow {
  return auditRow({
    differed: 1n,
    largest_units: '432',
    last_units: '-432',
    agreed_in_row: 0,
    unverified_since: 400_000_900n,
    last_difference: {
      field: 'borrowing_rate',
      ours: '61000',
      theirs: '61432',
      bound: '0',
      account: null,
      slot: '400000900',
    },
    ...changes,
  });
}

/** A Kamino SOL reserve that no P0 bank reaches. */
export const SOL_RESERVE = 'd4A2prbA2whesmvHaL88BH6Ewn5N4bTSU2Ze8P6Bc4Q';
const SOL_MINT = 'So11111111111111111111111111111111111111112';
/** The reward token of the farms in these tests. */
export const REWARD_MINT = 'J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn';

/** What a deposit of USDC gives at Kamino. */
export const RECEIPT_MINT = 'B8V6WVjPxW1UGwVDfxH2d2r8SyT4cqn7dQRK6XneVa7D';

/**
 * Kamino's USDC reserve in order: 500,000,000 tokens deposited, 390,000,000 lent out, sampled at the chain's time, reached by one P0
 * bank. Its own account says no price.
 */
export function reserveRow(changes: Partial<ReserveRow> = {}): ReserveRow {
  const time = new Date(CHAIN_TIME_MS);
  return {
    address: KAMINO_RESERVE,
    venue: 'kamino',
    market: KAMINO_MARKET,
    market_name: 'Main Market',
    mint: USDC_MINT,
    decimals: 6,
    receipt_mint: RECEIPT_MINT,
    symbol: 'usdc?',
    status: 'active',
    status_reasons: [],
    deposit_limit_base: '500100000000000',
    deposit_room_base: '100000000000',
    borrow_limit_base: null,
    borrow_room_base: null,
    withdraw_room_base: '110000000000000',
    price_usd: null,
    price_time: null,
    incentives: [],
    source: 'chain',
    slot: 400_000_000n,
    slot_time: new Date(CHAIN_TIME_MS - 3_600_000),
    banks: [KAMINO_BANK],
    sample_slot: 400_001_000n,
    sample_time: time,
    deposit_apr: '0.034208306',
    borrow_apr: '0.048739889',
    native_apr: null,
    emissions_deposit_apr: '0.01',
    emissions_borrow_apr: null,
    utilization: '0.78',
    total_assets_base: '500000000000000',
    total_liabilities_base: '390000000000000',
    available_liquidity_base: '110000000000000',
    exchange_rate: '1.25',
    native_exchange_rate: null,
    slot_ms: '400',
    sample_price_usd: null,
    ...changes,
  };
}

/** The SOL reserve: 1,000 tokens at a price of the venue's own. */
export function solReserveRow(changes: Partial<ReserveRow> = {}): ReserveRow {
  return reserveRow({
    address: SOL_RESERVE,
    mint: SOL_MINT,
    decimals: 9,
    receipt_mint: null,
    banks: [],
    price_usd: '150',
    sample_price_usd: '150',
    price_time: new Date(CHAIN_TIME_MS - 60_000),
    total_assets_base: '1000000000000',
    total_liabilities_base: '500000000000',
    available_liquidity_base: '500000000000',
    deposit_limit_base: null,
    deposit_room_base: null,
    ...changes,
  });
}

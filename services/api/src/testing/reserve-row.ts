import type { ReserveRow } from '@lending/store';
import { CHAIN_TIME_MS, KAMINO_BANK, KAMINO_MARKET, KAMINO_RESERVE, USDC_MINT } from './bank-row.ts';

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

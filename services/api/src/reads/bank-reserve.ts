import type { BankRow } from '@lending/store';
import type { BankReserve } from '#records/bank-reserve-fields.ts';
import { shownApyPct, shownPct, shownTokens } from './shown-numbers.ts';

/**
 * The venue's pool behind a bank, in the mint's own tokens; null on P0's own banks, and until the pool was read. The exchange rate is
 * the one of the bank's own sample, of the same slot as its sizes.
 */
export function describeBankReserve(row: BankRow): BankReserve | null {
  const { venue_account: address, reserve_status: status, reserve_market: market } = row;
  if (address === null || status === null || market === null) return null;
  const tokens = (base: string | null) => shownTokens(base, row.decimals);
  return {
    address,
    market,
    market_name: row.reserve_market_name,
    status,
    status_reasons: [...(row.reserve_status_reasons ?? [])],
    exchange_rate: row.exchange_rate,
    deposits: tokens(row.reserve_total_assets_base),
    available_liquidity: tokens(row.reserve_available_liquidity_base),
    deposit_limit: tokens(row.reserve_deposit_limit_base),
    deposit_room: tokens(row.reserve_deposit_room_base),
    withdraw_room: tokens(row.reserve_withdraw_room_base),
    utilization_pct: shownPct(row.reserve_utilization),
    borrow_apy_pct: status === 'suspended' ? null : shownApyPct(row.reserve_borrow_apr, row.venue),
  };
}

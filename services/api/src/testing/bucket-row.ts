import type { HistorySpan, RateBucketRow } from '@lending/store';
import { USDC_BANK } from './bank-row.ts';

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

import type { ReserveStatus, Venue } from '@lending/domain';
import { type QueryExecutorProvider, sql } from 'kysely';
import type { ReserveIncentiveRow } from './list-reserves.ts';

/**
 * A bank with its newest rate sample, its newest oracle reading and the reserve behind it, as the tables hold them.
 *
 * Slots are bigints, numerics exact decimal text. `*_base` is in base units of the mint (limits of a bank on another venue in its
 * receipts), `*_usd` in USD. `sample_*` is null until the bank was sampled, `price_*` until its oracle was read.
 */
export interface BankRow {
  readonly address: string;
  readonly group_address: string;
  readonly venue: Venue;
  readonly mint: string;
  readonly decimals: number;
  readonly token_program: 'spl' | 'token_2022' | null;
  readonly symbol: string | null;
  readonly asset_tag: number;
  readonly operational_state: string;
  readonly risk_tier: string;
  readonly asset_weight_init: string;
  readonly asset_weight_maint: string;
  readonly liability_weight_init: string;
  readonly liability_weight_maint: string;
  readonly deposit_limit_base: string | null;
  readonly borrow_limit_base: string | null;
  readonly flags: string;
  readonly emode: unknown;
  /** As the event `bank.measured` has them; null until the bank, or its group, was measured. */
  readonly premium: unknown;
  readonly premium_pairs: unknown;
  readonly oracle_setup: string;
  readonly oracle_key: string | null;
  readonly oracle_max_age_seconds: number;
  readonly rate_curve: unknown;
  /** The reserve behind a bank on another venue; null on P0's own. */
  readonly venue_account: string | null;
  readonly source: 'chain' | 'localnet';
  readonly slot: bigint;
  readonly slot_time: Date;

  readonly sample_slot: bigint | null;
  readonly sample_time: Date | null;
  readonly sample_source: 'chain' | 'localnet' | null;
  /** Fractions of one a year. Interest alone; a bank on another venue earns what its reserve pays. */
  readonly deposit_apr: string | null;
  readonly borrow_apr: string | null;
  /** The token's own yield. */
  readonly native_apr: string | null;
  readonly emissions_deposit_apr: string | null;
  readonly emissions_borrow_apr: string | null;
  /** Fraction of one. */
  readonly utilization: string | null;
  readonly total_assets_base: string | null;
  readonly total_liabilities_base: string | null;
  readonly available_liquidity_base: string | null;
  readonly asset_share_value: string | null;
  readonly liability_share_value: string | null;
  /** Tokens that one whole receipt of the venue is worth; null on P0's own banks. */
  readonly exchange_rate: string | null;
  /** SOL that one whole token is worth in its stake pool. */
  readonly native_exchange_rate: string | null;
  readonly slot_ms: string | null;

  readonly price_slot: bigint | null;
  readonly price_slot_time: Date | null;
  readonly price_usd: string | null;
  readonly price_low_usd: string | null;
  readonly price_high_usd: string | null;
  readonly price_publish_time: Date | null;
  /** Why the price is null. */
  readonly price_reason: string | null;
  /** As the event `bank.measured` has them; null until the bank was measured, the breaker also where it has none. */
  readonly measured_breaker: unknown;
  readonly measured_price: unknown;

  /** What the reserve behind the bank is; all null on P0's own banks, and until the reserve was read. */
  readonly reserve_market: string | null;
  readonly reserve_market_name: string | null;
  readonly reserve_status: ReserveStatus | null;
  readonly reserve_status_reasons: readonly string[] | null;
  /** Base units of the mint; of a reserve that was read, a limit or room of null is none. */
  readonly reserve_deposit_limit_base: string | null;
  readonly reserve_deposit_room_base: string | null;
  readonly reserve_borrow_limit_base: string | null;
  readonly reserve_borrow_room_base: string | null;
  readonly reserve_withdraw_room_base: string | null;
  readonly reserve_price_usd: string | null;
  readonly reserve_price_time: Date | null;
  readonly reserve_incentives: readonly ReserveIncentiveRow[] | null;
  readonly reserve_slot: bigint | null;
  readonly reserve_slot_time: Date | null;
  /** The newest sample of the reserve; null until it was sampled. */
  readonly reserve_sample_slot: bigint | null;
  readonly reserve_sample_time: Date | null;
  readonly reserve_deposit_apr: string | null;
  readonly reserve_borrow_apr: string | null;
  readonly reserve_utilization: string | null;
  readonly reserve_total_assets_base: string | null;
  readonly reserve_total_liabilities_base: string | null;
  readonly reserve_available_liquidity_base: string | null;
}

/**
 * Every bank, by address. One index probe per bank and per reserve for its newest sample, whatever the size of the history.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function listBanks(db: QueryExecutorProvider): Promise<readonly BankRow[]> {
  const { rows } = await sql<BankRow>`
    select
      bank.address,
      bank.group_address,
      bank.venue,
      bank.mint,
      bank.decimals,
      bank.token_program,
      bank.symbol,
      bank.asset_tag,
      bank.operational_state,
      bank.risk_tier,
      bank.asset_weight_init,
      bank.asset_weight_maint,
      bank.liability_weight_init,
      bank.liability_weight_maint,
      bank.deposit_limit_base,
      bank.borrow_limit_base,
      bank.flags,
      bank.emode,
      bank.oracle_setup,
      bank.oracle_key,
      bank.oracle_max_age_seconds,
      bank.rate_curve,
      bank.venue_account,
      bank_measure.ledger -> 'premium' as premium,
      bank_measure."group" -> 'premiumPairs' as premium_pairs,
      bank.source,
      bank.slot,
      bank.slot_time,
      sample.slot as sample_slot,
      sample.time as sample_time,
      case when sample.slot is not null then rate_series.source end as sample_source,
      sample.deposit_apr,
      sample.borrow_apr,
      sample.native_apr,
      sample.emissions_deposit_apr,
      sample.emissions_borrow_apr,
      sample.utilization,
      sample.total_assets_base,
      sample.total_liabilities_base,
      sample.available_liquidity_base,
      sample.asset_share_value,
      sample.liability_share_value,
      sample.exchange_rate,
      sample.native_exchange_rate,
      sample.slot_ms,
      oracle_price.slot as price_slot,
      oracle_price.slot_time as price_slot_time,
      oracle_price.price_usd,
      oracle_price.price_low_usd,
      oracle_price.price_high_usd,
      oracle_price.publish_time as price_publish_time,
      oracle_price.reason as price_reason,
      bank_measure.ledger -> 'breaker' as measured_breaker,
      bank_measure.price as measured_price,
      reserve.market as reserve_market,
      reserve.market_name as reserve_market_name,
      reserve.status as reserve_status,
      reserve.status_reasons as reserve_status_reasons,
      reserve.deposit_limit_base as reserve_deposit_limit_base,
      reserve.deposit_room_base as reserve_deposit_room_base,
      reserve.borrow_limit_base as reserve_borrow_limit_base,
      reserve.borrow_room_base as reserve_borrow_room_base,
      reserve.withdraw_room_base as reserve_withdraw_room_base,
      reserve.price_usd as reserve_price_usd,
      reserve.price_time as reserve_price_time,
      reserve.incentives as reserve_incentives,
      reserve.slot as reserve_slot,
      reserve.slot_time as reserve_slot_time,
      reserve_sample.slot as reserve_sample_slot,
      reserve_sample.time as reserve_sample_time,
      reserve_sample.deposit_apr as reserve_deposit_apr,
      reserve_sample.borrow_apr as reserve_borrow_apr,
      reserve_sample.utilization as reserve_utilization,
      reserve_sample.total_assets_base as reserve_total_assets_base,
      reserve_sample.total_liabilities_base as reserve_total_liabilities_base,
      reserve_sample.available_liquidity_base as reserve_available_liquidity_base
    from bank
    left join oracle_price on oracle_price.bank = bank.address
    left join bank_measure on bank_measure.bank = bank.address
    left join rate_series on rate_series.address = bank.address
    left join lateral (
      select * from rate_sample where rate_sample.series = rate_series.id order by time desc, slot desc limit 1
    ) as sample on true
    left join reserve on reserve.address = bank.venue_account
    left join rate_series as reserve_series on reserve_series.address = reserve.address
    left join lateral (
      select * from rate_sample where rate_sample.series = reserve_series.id order by time desc, slot desc limit 1
    ) as reserve_sample on true
    order by bank.address
  `.execute(db);
  return rows;
}

/** A bank whose account cannot be read at present. */
export interface RejectedBankRow {
  readonly bank: string;
  /** As it was stored: whoever shows it decides which words may be shown. */
  readonly reason: string;
}

/**
 * Banks that are known to exist and cannot be shown, by address.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function listRejectedBanks(db: QueryExecutorProvider): Promise<readonly RejectedBankRow[]> {
  const { rows } = await sql<RejectedBankRow>`
    select bank, left(reason, 200) as reason from bank_rejection order by bank
  `.execute(db);
  return rows;
}

import type { Venue } from '@lending/domain';
import { type QueryExecutorProvider, sql } from 'kysely';

/**
 * A bank with its newest rate sample and its newest oracle reading, as the tables hold them.
 *
 * Slots are bigints, numerics exact decimal text. `*_base` is in base units of the mint, `*_usd` in USD. `sample_*` is null until the bank was sampled, `price_*` until its oracle was read.
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
  readonly oracle_setup: string;
  readonly oracle_key: string | null;
  readonly oracle_max_age_seconds: number;
  readonly rate_curve: unknown;
  readonly source: 'chain' | 'localnet';
  readonly slot: bigint;
  readonly slot_time: Date;

  readonly sample_slot: bigint | null;
  readonly sample_time: Date | null;
  readonly sample_source: 'chain' | 'localnet' | null;
  /** Fractions of one a year. */
  readonly deposit_apr: string | null;
  readonly borrow_apr: string | null;
  /** Fraction of one. */
  readonly utilization: string | null;
  readonly total_assets_base: string | null;
  readonly total_liabilities_base: string | null;
  readonly available_liquidity_base: string | null;

  readonly price_slot: bigint | null;
  readonly price_slot_time: Date | null;
  readonly price_usd: string | null;
  readonly price_low_usd: string | null;
  readonly price_high_usd: string | null;
  readonly price_publish_time: Date | null;
  /** Why the price is null. */
  readonly price_reason: string | null;
}

/**
 * Every bank, by address. One index probe per bank for its newest sample, whatever the size of the history.
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
      bank.source,
      bank.slot,
      bank.slot_time,
      sample.slot as sample_slot,
      sample.time as sample_time,
      sample.source as sample_source,
      sample.deposit_apr,
      sample.borrow_apr,
      sample.utilization,
      sample.total_assets_base,
      sample.total_liabilities_base,
      sample.available_liquidity_base,
      oracle_price.slot as price_slot,
      oracle_price.slot_time as price_slot_time,
      oracle_price.price_usd,
      oracle_price.price_low_usd,
      oracle_price.price_high_usd,
      oracle_price.publish_time as price_publish_time,
      oracle_price.reason as price_reason
    from bank
    left join oracle_price on oracle_price.bank = bank.address
    left join lateral (
      select * from rate_sample where rate_sample.bank = bank.address order by time desc, slot desc limit 1
    ) as sample on true
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

import type { ReserveStatus, Venue } from '@lending/domain';
import { type QueryExecutorProvider, sql } from 'kysely';

/** Rewards in another token for those who deposit (or borrow) at the venue itself. */
export interface ReserveIncentiveRow {
  readonly side: 'deposit' | 'borrow';
  readonly mint: string;
  /** Base units of the reward token a year, for the whole side. */
  readonly amountPerYearBase: string;
  readonly decimals: number;
}

/**
 * A reserve with its newest rate sample, as the tables hold them. Numerics are exact decimal text, `*_base` base units of the mint,
 * rates fractions of one a year; `sample_*` and what it brings is null until the reserve was sampled. A limit or room of null is none.
 */
export interface ReserveRow {
  readonly address: string;
  readonly venue: Exclude<Venue, 'p0'>;
  readonly market: string;
  readonly market_name: string | null;
  readonly mint: string;
  readonly decimals: number;
  /** Mint of the receipt that a deposit gives, which `exchange_rate` is about; null where there is none, or it was not read yet. */
  readonly receipt_mint: string | null;
  readonly symbol: string | null;
  readonly status: ReserveStatus;
  readonly status_reasons: readonly string[];
  readonly deposit_limit_base: string | null;
  readonly deposit_room_base: string | null;
  readonly borrow_limit_base: string | null;
  readonly borrow_room_base: string | null;
  readonly withdraw_room_base: string;
  /** The price the venue itself uses, and when that was published. */
  readonly price_usd: string | null;
  readonly price_time: Date | null;
  readonly incentives: readonly ReserveIncentiveRow[];
  readonly source: 'chain' | 'localnet';
  readonly slot: bigint;
  readonly slot_time: Date;
  /** Banks of P0 that lend through it, by address. */
  readonly banks: readonly string[];

  readonly sample_slot: bigint | null;
  readonly sample_time: Date | null;
  readonly deposit_apr: string | null;
  readonly borrow_apr: string | null;
  readonly native_apr: string | null;
  readonly emissions_deposit_apr: string | null;
  readonly emissions_borrow_apr: string | null;
  readonly utilization: string | null;
  readonly total_assets_base: string | null;
  readonly total_liabilities_base: string | null;
  readonly available_liquidity_base: string | null;
  readonly exchange_rate: string | null;
  readonly native_exchange_rate: string | null;
  readonly slot_ms: string | null;
  /** As of the sample. */
  readonly sample_price_usd: string | null;
}

/**
 * Every reserve, by venue and address. One index probe per reserve for its newest sample, whatever the size of the history.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function listReserves(db: QueryExecutorProvider): Promise<readonly ReserveRow[]> {
  const { rows } = await sql<ReserveRow>`
    select
      reserve.*,
      array(select bank.address from bank where bank.venue_account = reserve.address order by bank.address) as banks,
      sample.slot as sample_slot,
      sample.time as sample_time,
      sample.deposit_apr,
      sample.borrow_apr,
      sample.native_apr,
      sample.emissions_deposit_apr,
      sample.emissions_borrow_apr,
      sample.utilization,
      sample.total_assets_base,
      sample.total_liabilities_base,
      sample.available_liquidity_base,
      sample.exchange_rate,
      sample.native_exchange_rate,
      sample.slot_ms,
      sample.price_usd as sample_price_usd
    from reserve
    left join rate_series on rate_series.address = reserve.address
    left join lateral (
      select * from rate_sample where rate_sample.series = rate_series.id order by time desc, slot desc limit 1
    ) as sample on true
    order by reserve.venue, reserve.address
  `.execute(db);
  return rows;
}

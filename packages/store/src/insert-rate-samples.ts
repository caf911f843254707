import type { Venue } from '@lending/domain';
import { sql } from 'kysely';
import type { Transaction } from './create-store.ts';
import { ensurePartitions } from './rate-sample-partitions.ts';
import { resolveSeries } from './rate-series.ts';

/**
 * What a bank or reserve paid and charged at one slot. APRs and utilisation are fractions of one, totals base units, share values and
 * exchange rates in full precision, all as decimal text; `time` is the slot's, an ISO-8601 instant. The fields are those of the
 * event `rate.sampled`.
 */
export interface RateSampleWrite {
  /** The bank's or the reserve's address. */
  readonly bank: string;
  /** Default: a bank. */
  readonly kind?: 'bank' | 'reserve';
  readonly venue: Venue;
  readonly depositApr: string | null;
  readonly borrowApr: string | null;
  readonly nativeApr?: string | null;
  readonly emissionsDepositApr?: string | null;
  readonly emissionsBorrowApr?: string | null;
  readonly utilization: string | null;
  readonly totalAssetsBase: string | null;
  readonly totalLiabilitiesBase: string | null;
  readonly availableLiquidityBase: string | null;
  readonly assetShareValue: string;
  readonly liabilityShareValue: string;
  readonly exchangeRate?: string | null;
  readonly nativeExchangeRate?: string | null;
  readonly slotMs?: string | null;
  readonly priceUsd: string | null;
  readonly source: 'chain' | 'localnet';
  readonly slot: bigint;
  readonly time: string;
}

/**
 * Adds rate samples. A sample is immutable: one of a bank, slot and time that is there already changes nothing.
 * @returns how many were new.
 */
export async function insertRateSamples(transaction: Transaction, rows: readonly RateSampleWrite[]): Promise<number> {
  if (rows.length === 0) return 0;
  const column = <K extends keyof RateSampleWrite>(name: K): (RateSampleWrite[K] | null)[] =>
    rows.map((row) => row[name] ?? null);
  const series = await resolveSeries(
    transaction,
    rows.map(({ bank, kind = 'bank', venue, source }) => ({ bank, kind, venue, source })),
  );
  await ensurePartitions(
    transaction,
    rows.map(({ time }) => time),
  );
  const result = await sql`
    insert into rate_sample (
      series, slot, time, deposit_apr, borrow_apr, native_apr, emissions_deposit_apr, emissions_borrow_apr, utilization,
      total_assets_base, total_liabilities_base, available_liquidity_base,
      asset_share_value, liability_share_value, exchange_rate, native_exchange_rate, slot_ms, price_usd
    )
    select * from unnest(
      ${rows.map(({ bank }) => series.get(bank) ?? null)}::integer[],
      ${column('slot')}::bigint[],
      ${column('time')}::timestamptz[],
      ${column('depositApr')}::numeric[],
      ${column('borrowApr')}::numeric[],
      ${column('nativeApr')}::numeric[],
      ${column('emissionsDepositApr')}::numeric[],
      ${column('emissionsBorrowApr')}::numeric[],
      ${column('utilization')}::numeric[],
      ${column('totalAssetsBase')}::numeric[],
      ${column('totalLiabilitiesBase')}::numeric[],
      ${column('availableLiquidityBase')}::numeric[],
      ${column('assetShareValue')}::numeric[],
      ${column('liabilityShareValue')}::numeric[],
      ${column('exchangeRate')}::numeric[],
      ${column('nativeExchangeRate')}::numeric[],
      ${column('slotMs')}::numeric[],
      ${column('priceUsd')}::numeric[]
    )
    on conflict (series, time, slot) do nothing
  `.execute(transaction);
  return Number(result.numAffectedRows ?? 0n);
}

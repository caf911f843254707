import type { Venue } from '@lending/domain';
import { sql } from 'kysely';
import type { Transaction } from './create-store.ts';
import { ensurePartitions } from './rate-sample-partitions.ts';

/**
 * What a bank paid and charged at one slot. APRs and utilisation are fractions of one, totals base units, share values in
 * full precision, all as decimal text; `time` is the slot's, an ISO-8601 instant.
 */
export interface RateSampleWrite {
  readonly bank: string;
  readonly venue: Venue;
  readonly depositApr: string | null;
  readonly borrowApr: string | null;
  readonly utilization: string | null;
  readonly totalAssetsBase: string | null;
  readonly totalLiabilitiesBase: string | null;
  readonly availableLiquidityBase: string | null;
  readonly assetShareValue: string;
  readonly liabilityShareValue: string;
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
  const column = <K extends keyof RateSampleWrite>(name: K): RateSampleWrite[K][] => rows.map((row) => row[name]);
  await ensurePartitions(transaction, column('time'));
  const result = await sql`
    insert into rate_sample (
      bank, slot, time, venue, deposit_apr, borrow_apr, utilization,
      total_assets_base, total_liabilities_base, available_liquidity_base,
      asset_share_value, liability_share_value, price_usd, source
    )
    select * from unnest(
      ${column('bank')}::text[],
      ${column('slot')}::bigint[],
      ${column('time')}::timestamptz[],
      ${column('venue')}::text[],
      ${column('depositApr')}::numeric[],
      ${column('borrowApr')}::numeric[],
      ${column('utilization')}::numeric[],
      ${column('totalAssetsBase')}::numeric[],
      ${column('totalLiabilitiesBase')}::numeric[],
      ${column('availableLiquidityBase')}::numeric[],
      ${column('assetShareValue')}::numeric[],
      ${column('liabilityShareValue')}::numeric[],
      ${column('priceUsd')}::numeric[],
      ${column('source')}::text[]
    )
    on conflict (bank, time, slot) do nothing
  `.execute(transaction);
  return Number(result.numAffectedRows ?? 0n);
}

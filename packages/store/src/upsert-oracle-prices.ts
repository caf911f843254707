import { sql } from 'kysely';
import type { Transaction } from './create-store.ts';
import { newestByKey } from './newest-by-key.ts';

/** What a bank's oracle said at one slot. Prices are decimal text in USD for one UI token; times ISO-8601 instants. */
export interface OraclePriceWrite {
  readonly bank: string;
  readonly oracle: string | null;
  readonly setup: string;
  readonly priceUsd: string | null;
  readonly priceLowUsd: string | null;
  readonly priceHighUsd: string | null;
  readonly emaPriceUsd: string | null;
  readonly publishTime: string | null;
  /** Why there is no price. */
  readonly reason: string | null;
  readonly source: 'chain' | 'localnet';
  readonly slot: bigint;
  readonly slotTime: string;
}

/** Writes the newest reading of each bank's oracle. An older slot than the one stored changes nothing. */
export async function upsertOraclePrices(transaction: Transaction, prices: readonly OraclePriceWrite[]): Promise<void> {
  const rows = newestByKey(prices, ({ bank }) => bank);
  if (rows.length === 0) return;
  const column = <K extends keyof OraclePriceWrite>(name: K): OraclePriceWrite[K][] => rows.map((row) => row[name]);
  await sql`
    insert into oracle_price (
      bank, oracle, setup, price_usd, price_low_usd, price_high_usd, ema_price_usd, publish_time, reason,
      source, slot, slot_time
    )
    select * from unnest(
      ${column('bank')}::text[],
      ${column('oracle')}::text[],
      ${column('setup')}::text[],
      ${column('priceUsd')}::numeric[],
      ${column('priceLowUsd')}::numeric[],
      ${column('priceHighUsd')}::numeric[],
      ${column('emaPriceUsd')}::numeric[],
      ${column('publishTime')}::timestamptz[],
      ${column('reason')}::text[],
      ${column('source')}::text[],
      ${column('slot')}::bigint[],
      ${column('slotTime')}::timestamptz[]
    )
    on conflict (bank) do update set
      oracle = excluded.oracle,
      setup = excluded.setup,
      price_usd = excluded.price_usd,
      price_low_usd = excluded.price_low_usd,
      price_high_usd = excluded.price_high_usd,
      ema_price_usd = excluded.ema_price_usd,
      publish_time = excluded.publish_time,
      reason = excluded.reason,
      source = excluded.source,
      slot = excluded.slot,
      slot_time = excluded.slot_time
    where oracle_price.slot <= excluded.slot
  `.execute(transaction);
}

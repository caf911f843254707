import type { ReserveStatus, Venue } from '@lending/domain';
import { sql } from 'kysely';
import type { Transaction } from './create-store.ts';
import { newestByKey } from './newest-by-key.ts';

/**
 * What a venue's reserve is and how much room it has, as seen at one slot, on its way into `reserve`. Amounts are base units as text
 * (null: no limit), prices decimal text in USD, times ISO-8601 instants, `incentives` what the column shall hold as JSON.
 */
export interface ReserveWrite {
  readonly address: string;
  readonly venue: Exclude<Venue, 'p0'>;
  readonly market: string;
  readonly marketName: string | null;
  readonly mint: string;
  readonly decimals: number;
  readonly receiptMint: string | null;
  readonly symbol: string | null;
  readonly status: ReserveStatus;
  readonly statusReasons: readonly string[];
  readonly depositLimitBase: string | null;
  readonly depositRoomBase: string | null;
  readonly borrowLimitBase: string | null;
  readonly borrowRoomBase: string | null;
  readonly withdrawRoomBase: string;
  readonly priceUsd: string | null;
  readonly priceTime: string | null;
  readonly incentives: unknown;
  readonly source: 'chain' | 'localnet';
  readonly slot: bigint;
  readonly slotTime: string;
}

/** Writes what reserves are. A row of an older slot than the one stored changes nothing; the same slot again writes the same. */
export async function upsertReserves(transaction: Transaction, reserves: readonly ReserveWrite[]): Promise<void> {
  const rows = newestByKey(reserves, ({ address }) => address);
  if (rows.length === 0) return;
  const column = <K extends keyof ReserveWrite>(name: K): ReserveWrite[K][] => rows.map((row) => row[name]);
  await sql`
    insert into reserve (
      address, venue, market, market_name, mint, decimals, receipt_mint, symbol, status, status_reasons,
      deposit_limit_base, deposit_room_base, borrow_limit_base, borrow_room_base, withdraw_room_base,
      price_usd, price_time, incentives, source, slot, slot_time
    )
    select
      address, venue, market, market_name, mint, decimals, receipt_mint, symbol, status,
      array(select jsonb_array_elements_text(status_reasons)),
      deposit_limit_base, deposit_room_base, borrow_limit_base, borrow_room_base, withdraw_room_base,
      price_usd, price_time, incentives, source, slot, slot_time
    from unnest(
      ${column('address')}::text[],
      ${column('venue')}::text[],
      ${column('market')}::text[],
      ${column('marketName')}::text[],
      ${column('mint')}::text[],
      ${column('decimals')}::smallint[],
      ${column('receiptMint')}::text[],
      ${column('symbol')}::text[],
      ${column('status')}::text[],
      ${column('statusReasons').map((value) => JSON.stringify(value))}::jsonb[],
      ${column('depositLimitBase')}::numeric[],
      ${column('depositRoomBase')}::numeric[],
      ${column('borrowLimitBase')}::numeric[],
      ${column('borrowRoomBase')}::numeric[],
      ${column('withdrawRoomBase')}::numeric[],
      ${column('priceUsd')}::numeric[],
      ${column('priceTime')}::timestamptz[],
      ${column('incentives').map((value) => JSON.stringify(value))}::jsonb[],
      ${column('source')}::text[],
      ${column('slot')}::bigint[],
      ${column('slotTime')}::timestamptz[]
    ) as seen (
      address, venue, market, market_name, mint, decimals, receipt_mint, symbol, status, status_reasons,
      deposit_limit_base, deposit_room_base, borrow_limit_base, borrow_room_base, withdraw_room_base,
      price_usd, price_time, incentives, source, slot, slot_time
    )
    on conflict (address) do update set
      venue = excluded.venue,
      market = excluded.market,
      market_name = excluded.market_name,
      mint = excluded.mint,
      decimals = excluded.decimals,
      -- It never changes, and the version before does not say it.
      receipt_mint = coalesce(excluded.receipt_mint, reserve.receipt_mint),
      symbol = excluded.symbol,
      status = excluded.status,
      status_reasons = excluded.status_reasons,
      deposit_limit_base = excluded.deposit_limit_base,
      deposit_room_base = excluded.deposit_room_base,
      borrow_limit_base = excluded.borrow_limit_base,
      borrow_room_base = excluded.borrow_room_base,
      withdraw_room_base = excluded.withdraw_room_base,
      price_usd = excluded.price_usd,
      price_time = excluded.price_time,
      incentives = excluded.incentives,
      source = excluded.source,
      slot = excluded.slot,
      slot_time = excluded.slot_time
    where reserve.slot <= excluded.slot
  `.execute(transaction);
}

import { sql } from 'kysely';
import type { Transaction } from './create-store.ts';
import { newestByKey } from './newest-by-key.ts';
import type { SwapQuoteRung } from './swap-quote-rung.ts';

/** What swapping one mint for another gave at one slot. Prices are decimal text in USD for one UI token. */
export interface SwapQuoteWrite {
  readonly inMint: string;
  readonly outMint: string;
  readonly inDecimals: number;
  readonly outDecimals: number;
  readonly inPriceUsd: string;
  readonly outPriceUsd: string;
  readonly rungs: readonly SwapQuoteRung[];
  /** Why no larger size was asked. */
  readonly end: 'passed_largest' | 'impact' | 'no_route';
  readonly source: 'chain' | 'localnet';
  readonly slot: bigint;
  readonly slotTime: string;
}

/** Writes the newest quotes of each pair. An older slot than the one stored changes nothing. */
export async function upsertSwapQuotes(transaction: Transaction, quotes: readonly SwapQuoteWrite[]): Promise<void> {
  const rows = newestByKey(quotes, ({ inMint, outMint }) => `${inMint}:${outMint}`);
  if (rows.length === 0) return;
  const column = <K extends keyof SwapQuoteWrite>(name: K): SwapQuoteWrite[K][] => rows.map((row) => row[name]);
  await sql`
    insert into swap_quote (
      in_mint, out_mint, in_decimals, out_decimals, in_price_usd, out_price_usd, rungs, ladder_end, source, slot, slot_time
    )
    select * from unnest(
      ${column('inMint')}::text[],
      ${column('outMint')}::text[],
      ${column('inDecimals')}::smallint[],
      ${column('outDecimals')}::smallint[],
      ${column('inPriceUsd')}::numeric[],
      ${column('outPriceUsd')}::numeric[],
      ${column('rungs').map((rungs) => JSON.stringify(rungs))}::jsonb[],
      ${column('end')}::text[],
      ${column('source')}::text[],
      ${column('slot')}::bigint[],
      ${column('slotTime')}::timestamptz[]
    )
    on conflict (in_mint, out_mint) do update set
      in_decimals = excluded.in_decimals,
      out_decimals = excluded.out_decimals,
      in_price_usd = excluded.in_price_usd,
      out_price_usd = excluded.out_price_usd,
      rungs = excluded.rungs,
      ladder_end = excluded.ladder_end,
      source = excluded.source,
      slot = excluded.slot,
      slot_time = excluded.slot_time
    where swap_quote.slot <= excluded.slot
  `.execute(transaction);
}

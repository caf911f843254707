import { type QueryExecutorProvider, sql } from 'kysely';
import type { SwapQuoteRung } from './swap-quote-rung.ts';

/** What swapping one mint for another gave when it was last asked. Prices are USD for one UI token, of that moment. */
export interface SwapQuoteRow {
  readonly in_mint: string;
  readonly out_mint: string;
  readonly in_decimals: number;
  readonly out_decimals: number;
  readonly in_price_usd: string;
  readonly out_price_usd: string;
  /** By size, smallest first; empty where there was no route for any. */
  readonly rungs: readonly SwapQuoteRung[];
  /** Why no larger size was asked. */
  readonly ladder_end: 'passed_largest' | 'impact' | 'no_route';
  readonly source: 'chain' | 'localnet';
  readonly slot: bigint;
  readonly slot_time: Date;
}

/**
 * The newest quotes of every pair that was asked for, by pair.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function listSwapQuotes(db: QueryExecutorProvider): Promise<readonly SwapQuoteRow[]> {
  const { rows } = await sql<SwapQuoteRow>`
    select
      in_mint, out_mint, in_decimals, out_decimals, in_price_usd, out_price_usd, rungs, ladder_end, source, slot, slot_time
    from swap_quote
    order by in_mint, out_mint
  `.execute(db);
  return rows;
}

import type { I80F48 } from '../i80f48.ts';

/** What a pair's size can be limited by, in the words of the wire. */
export type SizeLimit = 'deposit_cap' | 'borrow_cap' | 'liquidity' | 'rate_limit' | 'swap_depth';

/** Room in USD; null is none set. All but the deposits' are for what is borrowed. */
export type SizeRooms = Readonly<Record<SizeLimit, I80F48 | null>>;

export interface StrategySize {
  /** Own capital, USD, rounded down. */
  readonly size: I80F48;
  readonly limitedBy: SizeLimit;
}

/**
 * How much own capital fits into a pair at a leverage: of E, E × L is deposited and E × (L − 1) borrowed and swapped. Null where nothing
 * limits it. The first limit named wins a tie.
 */
export function strategySize(rooms: SizeRooms, leverageHundredths: bigint): StrategySize | null {
  let tightest: StrategySize | null = null;
  for (const limitedBy of ['deposit_cap', 'borrow_cap', 'liquidity', 'rate_limit', 'swap_depth'] as const) {
    const room = rooms[limitedBy];
    const multiple = limitedBy === 'deposit_cap' ? leverageHundredths : leverageHundredths - 100n;
    if (room === null || multiple <= 0n) continue;
    const size = ((room > 0n ? room : 0n) * 100n) / multiple;
    if (tightest === null || size < tightest.size) tightest = { size, limitedBy };
  }
  return tightest;
}

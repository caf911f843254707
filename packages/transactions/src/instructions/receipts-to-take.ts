import { floorI80F48, type I80F48 } from '@lending/domain';
import type { ActionAmount } from '#action.ts';

/** So many receipts for that many tokens; `tokenUnit` is how one base unit is written in `tokens`. */
export interface ReceiptPrice {
  readonly receipts: bigint;
  readonly tokens: bigint;
  readonly tokenUnit: bigint;
}

/**
 * The fewest receipts that pay at least the asked tokens, for what they pay is rounded down. Where those are the whole balance, all of it:
 * that pays the same, and frees the slot. More than the balance is left for the program to refuse.
 */
export function receiptsToTake(
  amount: bigint,
  assetShares: I80F48,
  { receipts, tokens, tokenUnit }: ReceiptPrice,
): ActionAmount {
  const needed = (amount * tokenUnit * receipts + tokens - 1n) / tokens;
  return needed === floorI80F48(assetShares) ? 'all' : needed;
}

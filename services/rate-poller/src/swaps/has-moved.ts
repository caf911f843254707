import type { PricedPair } from './swap-pairs.ts';

/**
 * How far the price of a pair, one token in the other, may go while a ladder is climbed, basis points: less than most swaps cost, and more
 * than most prices move in half a minute. What moved further would be told as a cost.
 */
const MOST_MOVED_BPS = 20n;
const BPS = 10_000n;

/** Whether the price of one in the other has gone too far to tell what a swap costs. */
export function hasMoved(start: PricedPair, end: PricedPair): boolean {
  const [was, is] = [start.in.priceE18 * end.out.priceE18, end.in.priceE18 * start.out.priceE18];
  const apart = was > is ? was - is : is - was;
  return apart * BPS > was * MOST_MOVED_BPS;
}

import { createMessage, type Message, type MessageSource } from '@lending/events';
import type { Ladder } from '#swaps/climb-ladder.ts';
import type { ChainMoment } from '#swaps/seen-banks.ts';
import type { PricedPair } from '#swaps/swap-pairs.ts';

/** The message of what swapping one mint for another gives at growing sizes, as of the moment whose prices tell the sizes. */
export function toSwapQuoted(
  { key, in: from, out: to }: PricedPair,
  { rungs, end }: Ladder,
  { slot, unixTimestamp }: ChainMoment,
  source: MessageSource,
): Message<'swap.quoted.v1'> {
  const payload = {
    inMint: from.mint,
    outMint: to.mint,
    inDecimals: from.decimals,
    outDecimals: to.decimals,
    inPriceUsd: from.priceUsd,
    outPriceUsd: to.priceUsd,
    rungs,
    end,
  };
  return createMessage({ topic: 'swap.quoted.v1', key, slot, unixTimestamp, source, payload });
}

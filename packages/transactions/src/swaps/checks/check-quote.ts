import { FRACTION_ONE } from '@lending/domain';
import type { SwapOffer } from '../aggregators/aggregator.ts';
import type { SwapRequest } from '../swap-finder.ts';
import type { SwapRefusal } from '../swap-reasons.ts';
import type { SwapQuery } from '../swap-route.ts';

/** An aggregator that looks at a chain of so many slots ago, half a minute, routes over pools that are no more. */
const MAX_SLOTS_BEHIND = 100n;
const BPS = 10_000n;

export type QuoteBounds = Pick<SwapRequest, 'fairOut' | 'maxDeviationE18' | 'maxPriceImpactE18' | 'slot'>;

/** The first check that what an aggregator says of a swap does not pass; null where all of them do. */
export function checkQuote(offer: SwapOffer, query: SwapQuery, bounds: QuoteBounds): SwapRefusal | null {
  const { quote } = offer;
  if (offer.inMint !== query.inMint || offer.outMint !== query.outMint) return 'wrong_pair';
  if (quote.inBase !== query.inBase) return 'wrong_amount';
  if (!keepsSlippage(offer, query)) return 'wrong_slippage';
  if (quote.contextSlot !== null && quote.contextSlot + MAX_SLOTS_BEHIND < bounds.slot) return 'stale_quote';
  if (deviates(offer, bounds)) return 'oracle_deviation';
  if ((quote.priceImpactE18 ?? 0n) > bounds.maxPriceImpactE18) return 'price_impact';
  return null;
}

/** What is sure lies below the quote by the slippage that was asked for, rounded by a unit either way. */
function keepsSlippage({ quote }: SwapOffer, { slippageBps }: SwapQuery): boolean {
  const least = (quote.outBase * (BPS - BigInt(slippageBps))) / BPS - 1n;
  return quote.slippageBps === slippageBps && quote.minOutBase >= least && quote.minOutBase <= quote.outBase;
}

function deviates({ quote }: SwapOffer, { fairOut, maxDeviationE18 }: QuoteBounds): boolean {
  const fair = fairOut(quote.inBase);
  const apart = quote.outBase > fair ? quote.outBase - fair : fair - quote.outBase;
  // The last unit is rounded: it counts only where amounts are tiny, and there it is not a deviation.
  return quote.outBase === 0n || (apart > 1n && apart * FRACTION_ONE > fair * maxDeviationE18);
}

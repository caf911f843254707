import { DEMO_TOKENS } from '#market/tokens.ts';
import type { AggregatorFault } from './aggregator-fault.ts';
import type { OfferLedger, SwapOffer } from './make-offer.ts';
import { readToken } from './swap-market.ts';

const BPS = 10_000n;
const PPM_IN_A_BPS = 100n;
const HALF_BPS = 5_000;

/** The offer as a fault has it; as it is where the fault is none of quotes. */
export function bendOffer(ledger: OfferLedger, offer: SwapOffer, fault: AggregatorFault | null): SwapOffer {
  switch (fault?.kind) {
    case 'other_pair': {
      const { USDC, USDT, USDS } = DEMO_TOKENS;
      const other = [USDC, USDT, USDS].find(({ mint }) => mint !== offer.from.mint && mint !== offer.to.mint) ?? USDC;
      return { ...offer, to: readToken(ledger, other.mint) ?? offer.to };
    }
    case 'other_amount':
      return { ...offer, inBase: offer.inBase * 2n };
    case 'other_slippage':
      return { ...offer, slippageBps: HALF_BPS, minOutBase: offer.outBase / 2n };
    case 'low_threshold':
      return { ...offer, minOutBase: 1n };
    case 'high_impact':
      return { ...offer, priceImpactPpm: BigInt(fault.bps) * PPM_IN_A_BPS };
    case 'price_shift': {
      const shift = (base: bigint) => (base * (BPS + BigInt(fault.bps))) / BPS;
      return { ...offer, outBase: shift(offer.outBase), minOutBase: shift(offer.minOutBase) };
    }
    case 'old_slot':
      return { ...offer, contextSlot: offer.contextSlot - BigInt(fault.slots) };
    default:
      return offer;
  }
}

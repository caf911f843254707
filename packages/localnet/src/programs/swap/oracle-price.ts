import {
  getPriceUpdateV2Decoder,
  getPullFeedDecoder,
  PYTH_RECEIVER_PROGRAM,
  SWITCHBOARD_ON_DEMAND_PROGRAM,
} from '@lending/programs';
import type { Address } from '@solana/kit';

const PRICE_DECIMALS = 18;
const priceUpdateDecoder = getPriceUpdateV2Decoder();
const pullFeedDecoder = getPullFeedDecoder();

/** USD for one UI token times 10^18 as a Pyth or Switchboard account states it, however old. Null when it states none. */
export function readPriceE18(feed: { readonly owner: Address; readonly data: Uint8Array }): bigint | null {
  const price = readMantissa(feed);
  return price !== null && price > 0n ? price : null;
}

function readMantissa({ owner, data }: { readonly owner: Address; readonly data: Uint8Array }): bigint | null {
  try {
    switch (owner) {
      case PYTH_RECEIVER_PROGRAM: {
        const { price, exponent } = priceUpdateDecoder.decode(data).priceMessage;
        return exponent < -PRICE_DECIMALS || exponent > 0 ? null : price * 10n ** BigInt(PRICE_DECIMALS + exponent);
      }
      case SWITCHBOARD_ON_DEMAND_PROGRAM:
        return pullFeedDecoder.decode(data).result.value;
      default:
        return null;
    }
  } catch {
    // Bytes of another kind of account of the same program: no price, as for any other account.
    return null;
  }
}

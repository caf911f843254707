import {
  PYTH_RECEIVER_PROGRAM,
  priceUpdateV2Layout,
  pullFeedLayout,
  SWITCHBOARD_ON_DEMAND_PROGRAM,
} from '@lending/programs';
import type { Address } from '@solana/kit';
import type { SwapPool } from './swap-pool.ts';

/** A feed's account. */
export interface FeedBytes {
  readonly owner: Address;
  readonly data: Uint8Array;
}

interface TimedPrice {
  readonly priceE18: bigint;
  /** Unix seconds. */
  readonly time: bigint;
}

const PRICE_DECIMALS = 18;

/**
 * USD for one UI token times 10^18 at which a pool trades: what its oracle states, times the pool's rate, or what the market traded at
 * since. Null where the oracle states nothing.
 */
export function poolPriceE18({ rateE18, lastPriceE18, lastPriceTime }: SwapPool, feed: FeedBytes): bigint | null {
  const stated = readPrice(feed);
  if (stated === null || stated.priceE18 <= 0n) return null;
  return lastPriceTime > stated.time ? lastPriceE18 : (stated.priceE18 * rateE18) / 10n ** BigInt(PRICE_DECIMALS);
}

/** What a Pyth or Switchboard account states, however old. */
function readPrice({ owner, data }: FeedBytes): TimedPrice | null {
  try {
    switch (owner) {
      case PYTH_RECEIVER_PROGRAM: {
        const { price, exponent, publishTime } = priceUpdateV2Layout.decode(data).priceMessage;
        if (exponent < -PRICE_DECIMALS || exponent > 0) return null;
        return { priceE18: price * 10n ** BigInt(PRICE_DECIMALS + exponent), time: publishTime };
      }
      case SWITCHBOARD_ON_DEMAND_PROGRAM: {
        const { result, lastUpdateTimestamp } = pullFeedLayout.decode(data);
        return { priceE18: result.value, time: lastUpdateTimestamp };
      }
      default:
        return null;
    }
  } catch {
    // Bytes of another kind of account of the same program: no price, as for any other account.
    return null;
  }
}

import { getStructCodec } from '@solana/kit';
import { getU64Codec, getU128Codec } from '../fixed-offset/number-codecs.ts';

/**
 * What may leave within a window of slots: quantities in wads of a reserve's base units, or of a market's USD.
 * @see solana-program-library (Solend's) token-lending/sdk/src/state/rate_limiter.rs
 */
export function getRateLimiterCodec() {
  return getStructCodec([
    ['maxOutflow', getU64Codec()],
    ['windowDuration', getU64Codec()],
    ['previousQuantity', getU128Codec()],
    ['windowStart', getU64Codec()],
    ['currentQuantity', getU128Codec()],
  ]);
}

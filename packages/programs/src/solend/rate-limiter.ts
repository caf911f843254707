import { u64, u128 } from '#layout/field-types.ts';
import { struct } from '#layout/struct.ts';

/**
 * What may leave within a window of slots: quantities in wads of a reserve's base units, or of a market's USD.
 * @see solana-program-library (Solend's) token-lending/sdk/src/state/rate_limiter.rs
 */
export const rateLimiter = struct({
  maxOutflow: u64,
  windowDuration: u64,
  previousQuantity: u128,
  windowStart: u64,
  currentQuantity: u128,
});

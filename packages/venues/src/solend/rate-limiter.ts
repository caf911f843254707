import { U64_MAX } from '@lending/domain';
import type { SolendReserve } from '@lending/programs';
import { addWads, multiplyWads, subtractWads, WAD } from './wads.ts';

/** What may leave within a window of slots; a window of 0 limits nothing. */
export type SolendRateLimiter = SolendReserve['rateLimiter'];

/**
 * The limiter as it stands at a slot: a window that has passed becomes the previous one, one before that is forgotten.
 * @throws DECODE__VALUE_OUT_OF_RANGE at a slot before the window.
 * @see solana-program-library (Solend's) token-lending/sdk/src/state/rate_limiter.rs
 */
export function moveWindow(limiter: SolendRateLimiter, slot: bigint): SolendRateLimiter {
  subtractWads(slot, limiter.windowStart);
  const start = (slot / limiter.windowDuration) * limiter.windowDuration;
  const next = limiter.windowStart + limiter.windowDuration;
  if (start < next) return limiter;
  const previousQuantity = start === next ? limiter.currentQuantity : 0n;
  return { ...limiter, previousQuantity, windowStart: start, currentQuantity: 0n };
}

/** What has left, wads: all of this window and what of the previous one the sliding window still covers. */
export function outflowWads(limiter: SolendRateLimiter, slot: bigint): bigint {
  const { windowDuration, windowStart } = limiter;
  const covered = subtractWads(windowDuration * WAD, (slot - windowStart + 1n) * WAD) / windowDuration;
  return addWads(multiplyWads(covered, limiter.previousQuantity), limiter.currentQuantity);
}

/** What may still leave at a slot, wads. */
export function remainingOutflowWads(limiter: SolendRateLimiter, slot: bigint): bigint {
  if (limiter.windowDuration === 0n) return U64_MAX * WAD;
  const outflow = outflowWads(moveWindow(limiter, slot), slot);
  const most = limiter.maxOutflow * WAD;
  return outflow > most ? 0n : most - outflow;
}

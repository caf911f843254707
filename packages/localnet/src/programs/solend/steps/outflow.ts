import {
  addWads,
  moveSolendWindow,
  remainingSolendOutflowWads,
  type SolendRateLimiter,
  solendOutflowWads,
  WAD,
} from '@lending/venues';
import type { InvokeContext } from '#engine/program.ts';
import { check } from '../solend-error.ts';

/** What a rate limiter still lets leave, wads. @throws InstructionError InvalidAccountInput at a slot before its window */
export function remainingOutflow(context: InvokeContext, limiter: SolendRateLimiter): bigint {
  assertWindowBegan(context, limiter);
  return remainingSolendOutflowWads(limiter, context.slot.slot);
}

/** A rate limiter after an amount (wads) has left. @throws InstructionError OutflowRateLimitExceeded */
export function takeOutflow(context: InvokeContext, limiter: SolendRateLimiter, amountWads: bigint): SolendRateLimiter {
  if (limiter.windowDuration === 0n) return limiter;
  assertWindowBegan(context, limiter);
  const moved = moveSolendWindow(limiter, context.slot.slot);
  const outflow = addWads(solendOutflowWads(moved, context.slot.slot), amountWads);
  check(context, outflow <= limiter.maxOutflow * WAD, 'OutflowRateLimitExceeded');
  return { ...moved, currentQuantity: addWads(moved.currentQuantity, amountWads) };
}

function assertWindowBegan(context: InvokeContext, { windowDuration, windowStart }: SolendRateLimiter): void {
  check(context, windowDuration === 0n || context.slot.slot >= windowStart, 'InvalidAccountInput');
}

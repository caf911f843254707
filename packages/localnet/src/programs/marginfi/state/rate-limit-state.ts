import type { RateLimiter, RateLimitWindow } from '@lending/domain';
import { rateLimitWindow as layout } from '@lending/programs';
import { defineView } from '#programs/anchor/field.ts';

export const rateLimitWindow = defineView(
  layout,
  'maxOutflow, windowDuration, windowStart, prevWindowOutflow, curWindowOutflow',
);

/** One outflow window of a bank or a group, at its place in the account. */
export type RateLimitState = ReturnType<typeof rateLimitWindow>;

/** A copy that accounting may work on. */
export function readRateLimiter(hourly: RateLimitState, daily: RateLimitState): RateLimiter {
  return { hourly: copyOf(hourly), daily: copyOf(daily) };
}

export function writeRateLimit(state: RateLimitState, window: RateLimitWindow): void {
  state.windowStart = window.windowStart;
  state.prevWindowOutflow = window.prevWindowOutflow;
  state.curWindowOutflow = window.curWindowOutflow;
}

function copyOf(state: RateLimitState): RateLimitWindow {
  const { maxOutflow, windowDuration, windowStart, prevWindowOutflow, curWindowOutflow } = state;
  return { maxOutflow, windowDuration, windowStart, prevWindowOutflow, curWindowOutflow };
}

import type { RateLimiter, RateLimitWindow } from '@lending/domain';
import { defineView, i64, u64, type View } from '#programs/anchor/field.ts';

const FIELDS = {
  maxOutflow: u64(0),
  windowDuration: u64(8),
  windowStart: i64(16),
  prevWindowOutflow: i64(24),
  curWindowOutflow: i64(32),
} as const;

/** One outflow window of a bank or a group, at its place in the account. */
export type RateLimitState = View<typeof FIELDS>;

export const rateLimitWindow = defineView(FIELDS);

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

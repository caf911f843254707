import { i64At, u64At } from '#fixed-offset/integers.ts';
import type { Bank } from './bank.ts';

/** The hourly and daily windows, each field at its offset: the same value as the codec's. */
export function rateLimiterAt(view: DataView, at: number): Bank['rateLimiter'] {
  return { hourly: windowAt(view, at), daily: windowAt(view, at + 40) };
}

function windowAt(view: DataView, at: number): Bank['rateLimiter']['hourly'] {
  return {
    maxOutflow: u64At(view, at),
    windowDuration: u64At(view, at + 8),
    windowStart: i64At(view, at + 16),
    prevWindowOutflow: i64At(view, at + 24),
    curWindowOutflow: i64At(view, at + 32),
  };
}

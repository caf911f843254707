import type { RateLimitWindow } from '../bank-ledger.ts';

/** A window as its admin sets it: the count starts over. */
export function startWindow(maxOutflow: bigint, windowDuration: bigint, unixTimestamp: bigint): RateLimitWindow {
  return { maxOutflow, windowDuration, windowStart: unixTimestamp, prevWindowOutflow: 0n, curWindowOutflow: 0n };
}

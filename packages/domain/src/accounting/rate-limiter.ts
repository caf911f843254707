import { I64_MAX, I64_MIN } from '../integers.ts';
import type { ProgramErrorName } from '../program-error-name.ts';
import { type Refusal, refused } from '../refusal.ts';
import { ACCOUNT_FLAG } from './action-gates.ts';
import type { RateLimiter, RateLimitWindow } from './bank-ledger.ts';

/** A limiter after an outflow. */
export interface RecordedFlow {
  readonly kind: 'done';
  readonly rateLimiter: RateLimiter;
}

function isWindowEnabled(window: RateLimitWindow): boolean {
  return window.maxOutflow > 0n;
}

export function isLimiterEnabled(limiter: RateLimiter): boolean {
  return isWindowEnabled(limiter.hourly) || isWindowEnabled(limiter.daily);
}

/**
 * A window moved on to a moment: after one duration the current count becomes the previous one, after two nothing is left of either.
 * A moment before its start leaves it as it is.
 * @see marginfi-v2 programs/marginfi/src/state/rate_limiter.rs `maybe_advance_window`
 */
export function advanceWindow(window: RateLimitWindow, unixTimestamp: bigint): RateLimitWindow {
  if (!isWindowEnabled(window) || window.windowDuration === 0n) return window;
  const elapsed = clampToI64(unixTimestamp - window.windowStart);
  if (elapsed < window.windowDuration) return window;
  if (elapsed >= window.windowDuration * 2n) {
    return { ...window, windowStart: unixTimestamp, prevWindowOutflow: 0n, curWindowOutflow: 0n };
  }
  return {
    ...window,
    windowStart: clampToI64(window.windowStart + window.windowDuration),
    prevWindowOutflow: window.curWindowOutflow,
    curWindowOutflow: 0n,
  };
}

/**
 * What may still flow out of a window at a moment, in the window's unit; null when it is off. Negative once the limit was lowered below
 * what is counted. What came in adds to it, so it can exceed the limit.
 * Shape: limit − previous × (what is left of the window ÷ its duration, cut toward zero) − current.
 * @see marginfi-v2 programs/marginfi/src/state/rate_limiter.rs `effective_remaining_capacity`
 */
export function remainingOutflow(window: RateLimitWindow, unixTimestamp: bigint): bigint | null {
  if (!isWindowEnabled(window)) return null;
  const { maxOutflow, windowDuration, windowStart, prevWindowOutflow, curWindowOutflow } = advanceWindow(
    window,
    unixTimestamp,
  );
  if (maxOutflow > I64_MAX) return 0n;
  if (windowDuration === 0n) return maxOutflow;
  const elapsed = clampToI64(unixTimestamp - windowStart);
  if (elapsed < 0n) return 0n;
  if (elapsed >= windowDuration) return maxOutflow;
  const weightedPrevious = (prevWindowOutflow * (windowDuration - elapsed)) / windowDuration;
  return clampToI64(maxOutflow - weightedPrevious - curWindowOutflow);
}

const UNCOUNTED =
  ACCOUNT_FLAG.inFlashLoan | ACCOUNT_FLAG.inReceivership | ACCOUNT_FLAG.inDeleverage | ACCOUNT_FLAG.inRebalance;

/** Whether flash loan, receivership, deleverage or rebalance takes an account's flows out of every count. */
export function skipsRateLimits(accountFlags: bigint): boolean {
  return (accountFlags & UNCOUNTED) !== 0n;
}

/**
 * Counts a withdrawal or a borrow against a bank's windows, in base units; both windows are asked before either is changed.
 * @see marginfi-v2 programs/marginfi/src/state/rate_limiter.rs `try_record_outflow`
 */
export function recordOutflow(limiter: RateLimiter, amountBase: bigint, unixTimestamp: bigint): RecordedFlow | Refusal {
  const hourly = advanceWindow(limiter.hourly, unixTimestamp);
  const daily = advanceWindow(limiter.daily, unixTimestamp);
  if (exceeds(hourly, amountBase, unixTimestamp)) return refused('BankHourlyRateLimitExceeded');
  if (exceeds(daily, amountBase, unixTimestamp)) return refused('BankDailyRateLimitExceeded');
  return { kind: 'done', rateLimiter: { hourly: count(hourly, amountBase), daily: count(daily, amountBase) } };
}

/** Counts a deposit or a repayment: it makes room again. Never refused. */
export function recordInflow(limiter: RateLimiter, amountBase: bigint, unixTimestamp: bigint): RateLimiter {
  const inflow = amountBase > I64_MAX ? I64_MAX : amountBase;
  return {
    hourly: count(advanceWindow(limiter.hourly, unixTimestamp), -inflow),
    daily: count(advanceWindow(limiter.daily, unixTimestamp), -inflow),
  };
}

/**
 * Whether a group's windows allow an outflow of so many whole USD. The program only reads them here; its admin writes the counts later.
 * @see marginfi-v2 programs/marginfi/src/utils/general.rs `record_withdrawal_outflow`
 */
export function findGroupLimitRefusal(
  limiter: RateLimiter,
  outflowUsd: bigint,
  unixTimestamp: bigint,
): ProgramErrorName | null {
  if (exceeds(limiter.hourly, outflowUsd, unixTimestamp)) return 'GroupHourlyRateLimitExceeded';
  return exceeds(limiter.daily, outflowUsd, unixTimestamp) ? 'GroupDailyRateLimitExceeded' : null;
}

/** An amount beyond i64 exceeds every window that is on. */
function exceeds(window: RateLimitWindow, amount: bigint, unixTimestamp: bigint): boolean {
  const remaining = remainingOutflow(window, unixTimestamp);
  return remaining !== null && (amount > remaining || amount > I64_MAX);
}

function count(window: RateLimitWindow, outflow: bigint): RateLimitWindow {
  if (!isWindowEnabled(window)) return window;
  return { ...window, curWindowOutflow: clampToI64(window.curWindowOutflow + outflow) };
}

function clampToI64(value: bigint): bigint {
  if (value > I64_MAX) return I64_MAX;
  return value < I64_MIN ? I64_MIN : value;
}

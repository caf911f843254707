import type { SolendLendingMarket, SolendReserve } from '@lending/programs';
import { type JudgedStatus, judgeStatus } from '../judge-status.ts';
import { isAttributedLimitExceeded, isUnborrowable } from './limits.ts';

const [REGULAR, ISOLATED] = [0, 1];

/**
 * What may be done with a reserve. Being stale is no state: every reserve is between two refreshes.
 * An isolated reserve is no collateral, and its debtors owe nothing else.
 */
export function statusOf(reserve: SolendReserve, market: SolendLendingMarket): JudgedStatus {
  const { depositLimit, borrowLimit } = reserve.config;
  return judgeStatus([
    ['reserve_type_unknown', 'unknown', ![REGULAR, ISOLATED].includes(reserve.reserveType)],
    ['deposit_limit_zero', 'closed', depositLimit === 0n],
    ['borrow_limit_zero', 'restricted', borrowLimit === 0n],
    ['unborrowable', 'restricted', isUnborrowable(reserve)],
    ['isolated_tier', 'restricted', reserve.reserveType === ISOLATED],
    ['outflow_disabled', 'restricted', isShut(reserve.rateLimiter) || isShut(market.rateLimiter)],
    ['attributed_borrow_limit_exceeded', 'restricted', isAttributedLimitExceeded(reserve)],
  ]);
}

/** A window that lets nothing through: the way Save's risk authority stops withdrawals and loans. */
function isShut({ windowDuration, maxOutflow }: SolendReserve['rateLimiter']): boolean {
  return windowDuration > 0n && maxOutflow === 0n;
}

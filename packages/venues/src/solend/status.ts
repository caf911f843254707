import type { SolendLendingMarket, SolendReserve } from '@lending/programs';
import type { ReserveReading } from '../reserve.ts';
import { isAttributedLimitExceeded, isUnborrowable } from './limits.ts';

const RESERVE_TYPES = ['regular', 'isolated'] as const;

/**
 * What may be done with a reserve. Being stale is no state: every reserve is between two refreshes.
 * An isolated reserve is no collateral, and its debtors owe nothing else.
 */
export function readStatus(
  reserve: SolendReserve,
  market: SolendLendingMarket,
): Pick<ReserveReading, 'status' | 'statusReasons'> {
  const { depositLimit, borrowLimit } = reserve.config;
  const type = RESERVE_TYPES[reserve.reserveType];
  if (type === undefined) return { status: 'unknown', statusReasons: ['reserve_type_unknown'] };
  const reasons: readonly (readonly [string, boolean])[] = [
    ['deposit_limit_zero', depositLimit === 0n],
    ['borrow_limit_zero', borrowLimit === 0n],
    ['unborrowable', isUnborrowable(reserve)],
    ['isolated_tier', type === 'isolated'],
    ['outflow_disabled', isShut(reserve.rateLimiter) || isShut(market.rateLimiter)],
    ['attributed_borrow_limit_exceeded', isAttributedLimitExceeded(reserve)],
  ];
  const statusReasons = reasons.filter(([, holds]) => holds).map(([reason]) => reason);
  if (depositLimit === 0n) return { status: 'closed', statusReasons };
  return { status: statusReasons.length === 0 ? 'active' : 'restricted', statusReasons };
}

/** A window that lets nothing through: the way Save's risk authority stops withdrawals and loans. */
function isShut({ windowDuration, maxOutflow }: SolendReserve['rateLimiter']): boolean {
  return windowDuration > 0n && maxOutflow === 0n;
}

import { compareText } from './by-score.ts';
import { isKnown } from './net-apy.ts';
import type { StrategyBank } from './strategy-bank.ts';

/** Why pairs of a bank are missing: a rate that nothing can be computed without is unknown. */
export const LEFT_OUT_REASONS = ['deposit_rate_unknown', 'borrow_rate_unknown', 'borrow_native_unknown'] as const;
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number];

export interface LeftOutBank {
  readonly bank: StrategyBank;
  readonly reason: LeftOutReason;
}

export function supplyGap({ rates }: StrategyBank): LeftOutReason | null {
  return isKnown(rates.now.interestDeposit) ? null : 'deposit_rate_unknown';
}

export function borrowGap({ rates }: StrategyBank): LeftOutReason | null {
  if (!isKnown(rates.now.totalBorrow)) return 'borrow_rate_unknown';
  return isKnown(rates.now.native) ? null : 'borrow_native_unknown';
}

/** By address, then in the order of the reasons. */
export function byBank(one: LeftOutBank, other: LeftOutBank): number {
  return (
    compareText(one.bank.address, other.bank.address) ||
    LEFT_OUT_REASONS.indexOf(one.reason) - LEFT_OUT_REASONS.indexOf(other.reason)
  );
}

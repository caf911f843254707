import { compareText } from './by-score.ts';
import { isKnown } from './net-apy.ts';
import type { Pair } from './pairs.ts';
import type { StrategyBank } from './strategy-bank.ts';

/** Why pairs of a bank are missing: a rate that nothing can be computed without is unknown. */
export const LEFT_OUT_REASONS = ['deposit_rate_unknown', 'borrow_rate_unknown', 'borrow_native_unknown'] as const;
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number];

export interface LeftOutBank {
  readonly bank: StrategyBank;
  readonly reason: LeftOutReason;
}

/** Every bank that stands in the way of a pair, once for each reason: by address, then in the order of the reasons. */
export function leftOutOf(pairs: readonly Pair[]): readonly LeftOutBank[] {
  const found = new Map<string, LeftOutBank>();
  for (const { supply, borrow } of pairs)
    for (const gap of [...supplyGaps(supply), ...borrowGaps(borrow)])
      found.set(`${gap.bank.address} ${gap.reason}`, gap);
  return [...found.values()].sort(
    (one, other) =>
      compareText(one.bank.address, other.bank.address) ||
      LEFT_OUT_REASONS.indexOf(one.reason) - LEFT_OUT_REASONS.indexOf(other.reason),
  );
}

function supplyGaps(bank: StrategyBank): readonly LeftOutBank[] {
  return isKnown(bank.rates.now.interestDeposit) ? [] : [{ bank, reason: 'deposit_rate_unknown' }];
}

function borrowGaps(bank: StrategyBank): readonly LeftOutBank[] {
  const { totalBorrow, native } = bank.rates.now;
  const gaps: LeftOutBank[] = [];
  if (!isKnown(totalBorrow)) gaps.push({ bank, reason: 'borrow_rate_unknown' });
  if (!isKnown(native)) gaps.push({ bank, reason: 'borrow_native_unknown' });
  return gaps;
}

import type { BalanceShares, BankLedger } from './bank-ledger.ts';
import { isClearlyPositive } from './thresholds.ts';

const I32_MIN = -(2 ** 31);
const I32_MAX = 2 ** 31 - 1;

type PositionCounts = Pick<BankLedger, 'lendingPositionCount' | 'borrowingPositionCount'>;

/** A bank's numbers of lenders and borrowers after one balance went from `before` to `after`. Shares decide, not amounts. */
export function countPositions(bank: PositionCounts, before: BalanceShares, after: BalanceShares): PositionCounts {
  return {
    lendingPositionCount: count(bank.lendingPositionCount, before.assetShares, after.assetShares),
    borrowingPositionCount: count(bank.borrowingPositionCount, before.liabilityShares, after.liabilityShares),
  };
}

/** The counters began mid-life, so they may be negative; at the ends of i32 they stay. */
function onePositionLess(current: number): number {
  return Math.max(current - 1, I32_MIN);
}

function count(current: number, before: bigint, after: bigint): number {
  const had = isClearlyPositive(before);
  const has = isClearlyPositive(after);
  if (had === has) return current;
  return has ? Math.min(current + 1, I32_MAX) : onePositionLess(current);
}

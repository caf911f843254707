import { divideWads, multiplyWads, toRate } from '@lending/venues';
import type { InvokeContext } from '#engine/program.ts';
import { check } from '../solend-error.ts';
import type { ObligationBorrow } from '../state/obligation-state.ts';

/** Brings a debt to the cumulative rate of its reserve. @throws InstructionError NegativeInterestRate */
export function accrueDebt(context: InvokeContext, borrow: ObligationBorrow, cumulativeRate: bigint): ObligationBorrow {
  check(context, cumulativeRate >= borrow.cumulativeBorrowRateWads, 'NegativeInterestRate');
  if (cumulativeRate === borrow.cumulativeBorrowRateWads) return borrow;
  const factor = toRate(divideWads(cumulativeRate, borrow.cumulativeBorrowRateWads));
  return {
    ...borrow,
    cumulativeBorrowRateWads: cumulativeRate,
    borrowedAmountWads: multiplyWads(borrow.borrowedAmountWads, factor),
  };
}

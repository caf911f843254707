import { liabilityAmountOf } from '../accounting/share-amounts.ts';
import { findEdge } from '../find-edge.ts';
import { ceilI80F48 } from '../i80f48.ts';
import { attemptRepay } from './attempt-repay.ts';
import { type CapacityState, findHeld, heldShares } from './capacity-state.ts';
import { type Capacity, limitOfError } from './limit.ts';

/** The most that a repayment without `repay_all` takes off premium and debt: it passes, later too, and one base unit more is refused. */
export function maxRepay(state: CapacityState): Capacity {
  const judge = (amountBase: bigint) => {
    const outcome = attemptRepay(state, amountBase);
    return outcome.kind === 'refused' ? outcome.error : null;
  };
  const refusal = judge(0n);
  if (refusal !== null) return { maxBase: 0n, limitedBy: limitOfError(refusal), error: refusal };
  const principal = liabilityAmountOf(state.bank.ledger, heldShares(state).liabilityShares);
  const owed = ceilI80F48(principal + (findHeld(state)?.premium ?? 0n));
  const { last, error } = findEdge(judge, 0n, owed);
  return { maxBase: last, limitedBy: error === null ? null : limitOfError(error), error };
}

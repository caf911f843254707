import {
  findEdge,
  type Limit,
  limitOfError,
  maxBorrow,
  maxDeposit,
  maxRepay,
  maxWithdraw,
  type ProgramErrorName,
} from '@lending/domain';
import { type AmountState, type AmountVerdict, judgeAmount } from './amount-check.ts';

/** The most that passes, in base units of the token, and what stops more. */
export interface MaxAmount {
  readonly maxBase: bigint;
  /** Null: nothing but what numbers hold. */
  readonly limitedBy: Limit | null;
  /** What one base unit more ends in, where the program alone decides; an amount far above may end in something else first. */
  readonly error?: ProgramErrorName | null;
}

/** The most of an action at its bank on this state, the wallet aside: asking for exactly that passes, and one base unit more does not. */
export function maxAmount(state: AmountState): MaxAmount {
  const { maxBase, limitedBy, error: stoppedBy } = maxOfBooks(state);
  if (state.kind === 'borrow' || state.kind === 'repay') return { maxBase, limitedBy, error: stoppedBy };
  const refusal = judgeAmount(state, maxBase);
  // On P0's own banks that is the answer; a venue has limits of its own.
  if (refusal === null && state.reading === null) return { maxBase: roundedUp(state, maxBase), limitedBy };
  if (judgeAmount(state, 0n) !== null) return { maxBase: 0n, limitedBy };
  const { last, error } = findEdge((amount) => limitOf(state, judgeAmount(state, amount)), 0n, maxBase);
  return { maxBase: last, limitedBy: error };
}

/** A balance short of a whole unit by next to nothing pays it, unless it is closed. */
function roundedUp(state: AmountState, maxBase: bigint): bigint {
  return state.kind === 'withdraw' && judgeAmount(state, maxBase + 1n) === null ? maxBase + 1n : maxBase;
}

function maxOfBooks({ kind, capacity }: AmountState) {
  switch (kind) {
    case 'deposit':
      return maxDeposit(capacity, null);
    case 'withdraw':
      return maxWithdraw(capacity);
    case 'borrow':
      return maxBorrow(capacity);
    case 'repay':
      return maxRepay(capacity);
  }
}

function limitOf({ kind }: AmountState, verdict: AmountVerdict | null): Limit | null {
  if (verdict === null) return null;
  if (verdict.by === 'program') return limitOfError(verdict.error);
  return kind === 'deposit' ? 'deposit_cap' : 'liquidity';
}

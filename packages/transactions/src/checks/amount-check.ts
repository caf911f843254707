import {
  attemptBorrow,
  attemptDeposit,
  attemptRepay,
  attemptWithdraw,
  type CapacityState,
  type Passed,
  type ProgramErrorName,
  type Refusal,
} from '@lending/domain';
import type { ReserveReading } from '@lending/venues';
import type { ActionAmount, LendingActionKind } from '#action.ts';

/** All that decides an amount at the target but the wallet. */
export interface AmountState {
  readonly kind: LendingActionKind;
  readonly capacity: CapacityState;
  /** The reserve behind a bank of another venue; null on P0's own. */
  readonly reading: ReserveReading | null;
}

/** Why an amount does not pass: an error that P0's program would end in, or the venue's own room. */
export type AmountVerdict =
  | { readonly by: 'program'; readonly error: ProgramErrorName }
  | { readonly by: 'venue'; readonly roomBase: bigint };

/** Null where the amount passes. */
export function judgeAmount(state: AmountState, amount: ActionAmount): AmountVerdict | null {
  const outcome = attempt(state, amount);
  if (outcome.kind === 'refused') return { by: 'program', error: outcome.error };
  const roomBase = roomOf(state);
  if (roomBase === null) return null;
  const movedBase = amount === 'all' ? outcome.vaultFlowBase : amount;
  return movedBase > roomBase ? { by: 'venue', roomBase } : null;
}

function attempt({ kind, capacity }: AmountState, amount: ActionAmount): Passed | Refusal {
  if (kind === 'repay') return attemptRepay(capacity, amount);
  if (amount === 'all') return attemptWithdraw(capacity, 'all');
  if (kind === 'borrow') return attemptBorrow(capacity, amount);
  return kind === 'deposit' ? attemptDeposit(capacity, amount) : attemptWithdraw(capacity, amount);
}

/** What the venue itself still takes or pays out, base units; null is no limit. */
function roomOf({ kind, reading }: AmountState): bigint | null {
  if (reading === null) return null;
  if (kind === 'deposit') return reading.limits.depositRoomBase;
  return kind === 'withdraw' ? reading.limits.withdrawRoomBase : null;
}

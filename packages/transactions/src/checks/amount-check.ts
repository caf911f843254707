import {
  ACCOUNT_FLAG,
  attemptBorrow,
  attemptDeposit,
  attemptRepay,
  attemptWithdraw,
  type CapacityState,
  checkHealthOnce,
  findUnpricedCollateral,
  type HealthCheck,
  I80F48_ONE,
  type Passed,
  type PremiumPair,
  type ProgramErrorName,
  type Refusal,
  type RiskBalance,
} from '@lending/domain';
import { isLendingError } from '@lending/errors';
import type { ReserveReading } from '@lending/venues';
import type { ActionAmount, LendingActionKind } from '#action.ts';
import type { BankUnits } from './bank-units.ts';

/** All that decides an amount at the target but the wallet. */
export interface AmountState {
  readonly kind: LendingActionKind;
  readonly capacity: CapacityState;
  readonly units: BankUnits;
  /** The reserve behind a bank of another venue; null on P0's own. */
  readonly reading: ReserveReading | null;
  /** The group's table of premiums: where a debt bears one, a borrow asks for the price of all collateral that counts. */
  readonly pairs: readonly PremiumPair[];
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
  const movedBase = amount === 'all' ? state.units.worth(outcome.vaultFlowBase) : amount;
  return movedBase > roomBase ? { by: 'venue', roomBase } : null;
}

/** The action as P0's program does it, in the units of the bank's books. */
function attempt(state: AmountState, amount: ActionAmount): Passed | Refusal {
  const { kind, capacity, units } = state;
  if (kind === 'repay') return attemptRepay(capacity, amount);
  if (amount === 'all') return attemptWithdraw(capacity, 'all');
  if (kind === 'borrow') return attemptBorrow(capacity, amount, checkOfBorrow(state));
  const booked = orNull(() => (kind === 'deposit' ? units.deposited(amount) : units.withdrawn(amount)));
  if (booked === null) return { kind: 'refused', error: 'MathError' };
  return kind === 'deposit' ? attemptDeposit(capacity, booked) : attemptWithdraw(capacity, booked);
}

/** Health, then the prices that the premiums of debts are set by. Circuit breakers are asked after both. */
function checkOfBorrow(state: AmountState): HealthCheck {
  const checkHealth = checkHealthOnce(state.capacity);
  return (ledger, shares) =>
    checkHealth(ledger, shares) ?? (findUnpriced(state) === null ? null : 'PremiumSnapshotUnavailable');
}

/** The collateral without whose price nothing can be borrowed; null where there is none. In a flash loan the loan's end asks instead. */
export function findUnpriced({ capacity, pairs }: AmountState): RiskBalance | null {
  const { account, bank } = capacity;
  if ((account.flags & ACCOUNT_FLAG.inFlashLoan) !== 0n) return null;
  const loan = { bank: bank.risk, price: bank.price, assetShares: 0n, liabilityShares: I80F48_ONE, premium: 0n };
  const others = account.balances.filter((each) => each.bank.address !== bank.risk.address);
  return findUnpricedCollateral([...others, loan], pairs);
}

/** An amount whose receipts fit no number is as good as any that is too large. */
function orNull(count: () => bigint): bigint | null {
  try {
    return count();
  } catch (error) {
    if (isLendingError(error, 'DECODE__VALUE_OUT_OF_RANGE')) return null;
    throw error;
  }
}

/** What the venue itself still takes or pays out, base units; null is no limit. */
function roomOf({ kind, reading }: AmountState): bigint | null {
  if (reading === null) return null;
  if (kind === 'deposit') return reading.limits.depositRoomBase;
  return kind === 'withdraw' ? reading.limits.withdrawRoomBase : null;
}

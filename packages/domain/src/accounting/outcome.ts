import { isLendingError } from '@lending/errors';
import type { I80F48 } from '../i80f48.ts';
import type { ProgramErrorName } from '../risk/risk-balance.ts';
import type { BalanceShares } from './bank-ledger.ts';

/** The program would fail with this error; nothing has changed. */
export interface Refusal {
  readonly kind: 'refused';
  readonly error: ProgramErrorName;
}

/** A bank and a balance after an operation. `shares` is what the program reports in its event. */
export interface BalanceChange<Bank> {
  readonly kind: 'done';
  readonly bank: Bank;
  readonly balance: BalanceShares;
  readonly shares: I80F48;
}

/** A balance that is gone: its slot is free again. `amountBase` is what the token program moves. */
export interface BalanceClosure<Bank> extends BalanceChange<Bank> {
  readonly amountBase: bigint;
}

export function refused(error: ProgramErrorName): Refusal {
  return { kind: 'refused', error };
}

/** Runs one operation; arithmetic that does not fit is the program's maths error, like any other refusal. */
export function orMathError<Outcome>(operation: () => Outcome): Outcome | Refusal {
  try {
    return operation();
  } catch (error) {
    if (isLendingError(error, 'DECODE__VALUE_OUT_OF_RANGE')) return refused('MathError');
    throw error;
  }
}

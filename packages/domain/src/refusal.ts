import { isLendingError } from '@lending/errors';
import type { ProgramErrorName } from './program-error-name.ts';

/** The program would fail with this error; nothing has changed. */
export interface Refusal {
  readonly kind: 'refused';
  readonly error: ProgramErrorName;
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

import type { TransactionError } from './engine.ts';

/** Ends a transaction before its instructions run. `isRecorded`: it lands and pays its fee all the same. */
export class TransactionFailure extends Error {
  readonly error: TransactionError;
  readonly isRecorded: boolean;

  constructor(error: TransactionError, isRecorded = false) {
    super(JSON.stringify(error));
    this.name = 'TransactionFailure';
    this.error = error;
    this.isRecorded = isRecorded;
  }
}

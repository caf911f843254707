import type { ProgramErrorName } from '@lending/domain';
import type { PriceUnavailableReason } from './price-reading.ts';

/**
 * Why an oracle gives no price, on its way from the check that found it to `loadOracle`, which turns it into a value; it never
 * leaves this package.
 */
export class OracleRefused extends Error {
  readonly reason: PriceUnavailableReason;
  /** Null where the program aborts without an error of its own, or where we lack what it would see. */
  readonly programError: ProgramErrorName | null;

  constructor(reason: PriceUnavailableReason, programError: ProgramErrorName | null) {
    super(reason);
    this.name = 'OracleRefused';
    this.reason = reason;
    this.programError = programError;
  }
}

/**
 * What the program ends in when bytes with the right mark do not read as what they are marked as. It has no number of P0's own.
 * @see the Rust crate `solana-program-error`, `ProgramError::BorshIoError`
 */
export const UNREADABLE: ProgramErrorName = 'BorshIoError';

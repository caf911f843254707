import { customError } from '#engine/instruction-error.ts';
import type { InvokeContext } from '#engine/program.ts';

/**
 * The program's own errors, those the model meets, with the words it logs.
 * @see solana-program-library (Solend's) token-lending/sdk/src/error.rs
 */
const SOLEND_ERRORS = {
  InstructionUnpackError: [0, 'Failed to unpack instruction data'],
  AlreadyInitialized: [1, 'Account is already initialized'],
  NotRentExempt: [2, 'Lamport balance below rent-exempt threshold'],
  InvalidMarketAuthority: [3, 'Market authority is invalid'],
  InvalidAccountOwner: [5, 'Input account owner is not the program address'],
  InvalidTokenProgram: [9, 'Input token program account is not valid'],
  InvalidAmount: [10, 'Input amount is invalid'],
  InvalidSigner: [12, 'Input account must be a signer'],
  InvalidAccountInput: [13, 'Invalid account input'],
  MathOverflow: [14, 'Math operation overflow'],
  InsufficientLiquidity: [20, 'Insufficient liquidity available'],
  ReserveStale: [22, 'Reserve state needs to be refreshed'],
  WithdrawTooLarge: [24, 'Withdraw amount too large'],
  ObligationReserveLimit: [31, 'Obligation reserve limit exceeded'],
  InvalidObligationOwner: [32, 'Obligation owner is invalid'],
  ObligationDepositsEmpty: [33, 'Obligation deposits are empty'],
  InvalidObligationCollateral: [37, 'Invalid obligation collateral'],
  ObligationCollateralEmpty: [39, 'Obligation collateral is empty'],
  InvalidOracleConfig: [42, 'Input oracle config is invalid'],
  OutflowRateLimitExceeded: [54, 'Outflow Rate Limit Exceeded'],
  BorrowAttributionLimitExceeded: [57, 'Borrow Attribution Limit Exceeded'],
} as const;

export type SolendErrorName = keyof typeof SOLEND_ERRORS;

/** Ends the instruction with one of the program's errors. @throws InstructionError, always */
export function fail(context: InvokeContext, name: SolendErrorName): never {
  const [code, words] = SOLEND_ERRORS[name];
  context.log(words);
  throw customError(code);
}

/** Ends the instruction unless a condition holds. @throws InstructionError */
export function check(context: InvokeContext, holds: boolean, name: SolendErrorName): void {
  if (!holds) fail(context, name);
}

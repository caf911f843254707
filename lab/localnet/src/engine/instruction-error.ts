import type { TransactionError } from './engine.ts';

/** Why an instruction failed, in the shape RPC nodes report it inside `InstructionError`. */
export type InstructionErrorReason = InstructionErrorName | { readonly Custom: number };

/** What a program throws to end its instruction, and with it the transaction. */
export class InstructionError extends Error {
  readonly reason: InstructionErrorReason;
  /** What the log says. */
  readonly words: string;

  constructor(reason: InstructionErrorReason, words: string = describeReason(reason)) {
    super(words);
    this.name = 'InstructionError';
    this.reason = reason;
    this.words = words;
  }
}

/** A program's own error number. */
export function customError(code: number): InstructionError {
  return new InstructionError({ Custom: code });
}

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

/** The words a validator's log uses for an error: `custom program error: 0x1`, `invalid account data for instruction`. */
function describeReason(reason: InstructionErrorReason): string {
  return typeof reason === 'string'
    ? INSTRUCTION_ERRORS[reason]
    : `custom program error: 0x${reason.Custom.toString(16)}`;
}

type InstructionErrorName = keyof typeof INSTRUCTION_ERRORS;

/** Names as RPC reports them, with the words of the log. */
const INSTRUCTION_ERRORS = {
  AccountBorrowFailed: 'instruction tries to borrow reference for an account which is already borrowed',
  AccountDataSizeChanged: "program other than the account's owner changed the size of the account data",
  CallDepth: 'Cross-program invocation call depth too deep',
  ComputationalBudgetExceeded: 'Computational budget exceeded',
  ExternalAccountDataModified: 'instruction modified data of an account it does not own',
  ExternalAccountLamportSpend: 'instruction spent from the balance of an account it does not own',
  IllegalOwner: 'Provided owner is not allowed',
  IncorrectProgramId: 'incorrect program id for instruction',
  InvalidAccountData: 'invalid account data for instruction',
  InvalidAccountOwner: 'Invalid account owner',
  InvalidArgument: 'invalid program argument',
  InvalidInstructionData: 'invalid instruction data',
  InvalidRealloc: 'Failed to reallocate account data',
  InvalidSeeds: 'Provided seeds do not result in a valid address',
  MaxInstructionTraceLengthExceeded: 'Max instruction trace length exceeded',
  MaxSeedLengthExceeded: 'Length of the seed is too long for address generation',
  MissingAccount: 'An account required by the instruction is missing',
  MissingRequiredSignature: 'missing required signature for instruction',
  ModifiedProgramId: 'instruction illegally modified the program id of an account',
  NotEnoughAccountKeys: 'insufficient account keys for instruction',
  PrivilegeEscalation: 'Cross-program invocation with unauthorized signer or writable account',
  ProgramFailedToComplete: 'Program failed to complete',
  ReadonlyDataModified: 'instruction modified data of a read-only account',
  ReadonlyLamportChange: 'instruction changed the balance of a read-only account',
  ReentrancyNotAllowed: 'Cross-program invocation reentrancy not allowed for this instruction',
  UnbalancedInstruction: 'sum of account balances before and after instruction do not match',
  UninitializedAccount: 'instruction requires an initialized account',
  UnsupportedProgramId: 'Unsupported program id',
} as const;

import type { InstructionErrorPair, InstructionFailure } from '@lending/venues';

/** Why a transaction failed: the failed instruction, where one did, and the runtime's words. */
export interface TransactionFailure {
  readonly error: InstructionErrorPair | null;
  readonly reason: string;
}

/**
 * Reads a transaction error as nodes write it: `"AccountNotFound"`, `{InsufficientFundsForRent: {account_index: 1}}`,
 * `{InstructionError: [2, {Custom: 6009}]}`, whose numbers may have come as bigint.
 */
export function readTransactionFailure(error: unknown): TransactionFailure {
  if (typeof error === 'string') return { error: null, reason: error };
  const [name, value] = Object.entries(error ?? {})[0] ?? ['Unknown', null];
  if (name !== 'InstructionError' || !Array.isArray(value)) return { error: null, reason: name };
  const [index, failure] = value as [unknown, unknown];
  return ofInstruction(Number(index), toInstructionFailure(failure));
}

/** A node's words for a lookup table that is gone, no table, or shorter than it was: `AddressLookupTableNotFound` and its siblings. */
const LOOKUP_FAILURE = /address ?(lookup ?)?table/i;

/** Whether a transaction failed because what it looks up in a table is not there. */
export function isLookupFailure({ reason }: Pick<TransactionFailure, 'reason'>): boolean {
  return LOOKUP_FAILURE.test(reason);
}

export function ofInstruction(index: number, failure: InstructionFailure): TransactionFailure {
  const reason =
    typeof failure === 'string' ? failure : `custom program error: 0x${Number(failure.Custom).toString(16)}`;
  return { error: [index, failure], reason };
}

function toInstructionFailure(failure: unknown): InstructionFailure {
  if (typeof failure === 'string') return failure;
  const [name, value] = Object.entries(failure ?? {})[0] ?? ['GenericError', null];
  return name === 'Custom' ? { Custom: Number(value) } : name;
}

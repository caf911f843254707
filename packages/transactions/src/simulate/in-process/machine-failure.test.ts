import { describe, expect, it } from 'vitest';
import { readMachineFailure } from './machine-failure.ts';

const words = (error: string) =>
  `FailedTransactionMetadata(FailedTransactionMetadata { err: ${error}, meta: TransactionMetadata { logs: ["{ err: InstructionError(9, Custom(9))"] } })`;

describe('readMachineFailure', () => {
  it.each([
    ['InstructionError(1, Custom(6009))', { error: [1, { Custom: 6009 }], reason: 'custom program error: 0x1779' }],
    ['InstructionError(0, InvalidAccountData)', { error: [0, 'InvalidAccountData'], reason: 'InvalidAccountData' }],
    ['InsufficientFundsForRent { account_index: 1 }', { error: null, reason: 'InsufficientFundsForRent' }],
    ['AccountNotFound', { error: null, reason: 'AccountNotFound' }],
    ['DuplicateInstruction(3)', { error: null, reason: 'DuplicateInstruction' }],
  ])('reads %s', (error, failure) => {
    expect(readMachineFailure(words(error))).toEqual(failure);
  });
});

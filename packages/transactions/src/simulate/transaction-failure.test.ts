import { explainProgramError } from '@lending/venues';
import { describe, expect, it } from 'vitest';
import { readTransactionFailure } from './transaction-failure.ts';

describe('readTransactionFailure', () => {
  it.each([
    ['AccountNotFound', { error: null, reason: 'AccountNotFound' }],
    [{ InsufficientFundsForRent: { account_index: 1n } }, { error: null, reason: 'InsufficientFundsForRent' }],
    [
      { InstructionError: [2n, { Custom: 6009n }] },
      { error: [2, { Custom: 6009 }], reason: 'custom program error: 0x1779' },
    ],
    [{ InstructionError: [0, { Custom: 1 }] }, { error: [0, { Custom: 1 }], reason: 'custom program error: 0x1' }],
    [{ InstructionError: [1, 'InvalidArgument'] }, { error: [1, 'InvalidArgument'], reason: 'InvalidArgument' }],
    [{ InstructionError: [1, { BorshIoError: 'Unknown' }] }, { error: [1, 'BorshIoError'], reason: 'BorshIoError' }],
  ])('reads %o', (error, failure) => {
    expect(readTransactionFailure(error)).toEqual(failure);
  });

  it('gives what explains itself without logs', () => {
    const { error } = readTransactionFailure({ InstructionError: [0n, { Custom: 6009n }] });
    const explained = explainProgramError({
      logs: [],
      error,
      instructionPrograms: ['MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA'],
    });
    expect(explained).toMatchObject({ code: 'ACTION__COLLATERAL_EXCEEDED', cause: { number: 6009 } });
  });
});

import { PROGRAM_ERROR_NAMES } from '@lending/domain';
import { marginfiErrorName } from '@lending/programs';
import { describe, expect, it } from 'vitest';
import { explainProgramError } from './explain-program-error.ts';
import { refusalWordsOf } from './refusal-words.ts';

const NUMBERS = Array.from({ length: 1_000 }, (_, offset) => 6000 + offset);

describe('refusalWordsOf', () => {
  it('says the code that the chain would, for every number of the program and every action', () => {
    const known = new Set<string>(PROGRAM_ERROR_NAMES);
    let compared = 0;
    for (const number of NUMBERS) {
      const name = marginfiErrorName(number);
      if (name === null || !known.has(name)) continue;
      for (const action of ['deposit', 'withdraw', 'borrow', 'repay'] as const) {
        const told = explainProgramError({
          logs: [],
          error: [0, { Custom: number }],
          instructionPrograms: ['MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA'],
          action,
        });
        const found = refusalWordsOf(name as (typeof PROGRAM_ERROR_NAMES)[number], action);
        expect(found.code).toBe(told?.code);
        expect(`${found.problem}. ${found.change}.`).toBe(told?.message);
        expect(found.details).toEqual(told?.details);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(200);
  });

  it('says of a bank of another venue what the builders say: nothing is borrowed from it, nor owed to it', () => {
    const error = 'WrongAssetTagForStandardInstructions';
    expect(refusalWordsOf(error, 'borrow').code).toBe('ACTION__BORROW_UNSUPPORTED');
    expect(refusalWordsOf(error, 'repay').code).toBe('ACTION__BORROW_UNSUPPORTED');
    expect(refusalWordsOf(error, 'deposit').code).toBe('ACTION__SIMULATION_INVALID');
  });

  it('says of an empty vault what the token program’s refusal says', () => {
    expect(refusalWordsOf('InsufficientFunds', 'borrow').code).toBe('ACTION__BORROW_EXCEEDED');
    expect(refusalWordsOf('InsufficientFunds', 'withdraw').code).toBe('ACTION__WITHDRAW_EXCEEDED');
    expect(refusalWordsOf('InsufficientFunds', 'deposit').code).toBe('ACTION__BALANCE_EXCEEDED');
  });

  it('says of a repayment that leaves less than a share that it is of the amount', () => {
    expect(refusalWordsOf('IllegalBalanceState', 'repay').code).toBe('ACTION__REPAY_EXCEEDED');
    expect(refusalWordsOf('IllegalBalanceState', 'close-position').code).toBe('ACTION__REPAY_EXCEEDED');
    expect(refusalWordsOf('IllegalBalanceState', 'borrow').code).toBe('ACTION__SIMULATION_INVALID');
  });
});

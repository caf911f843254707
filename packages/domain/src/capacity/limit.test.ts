import { describe, expect, it } from 'vitest';
import { PROGRAM_ERROR_NAMES } from '../program-error-name.ts';
import { LIMITS, limitOfError } from './limit.ts';

describe('limitOfError', () => {
  it.each([
    ['BankAssetCapacityExceeded', 'deposit_cap'],
    ['BankLiabilityCapacityExceeded', 'borrow_cap'],
    ['InsufficientFunds', 'liquidity'],
    ['GroupDailyRateLimitExceeded', 'rate_limit'],
    ['RiskEngineInitRejected', 'health'],
    ['PythPushStalePrice', 'health'],
    ['ProgramFailedToComplete', 'health'],
  ] as const)('answers %s with %s', (error, limit) => {
    expect(limitOfError(error)).toBe(limit);
  });

  it('speaks of no swap, which is no error of the program, and of every other limit', () => {
    const spoken = new Set(PROGRAM_ERROR_NAMES.map(limitOfError));
    expect(LIMITS.filter((limit) => !spoken.has(limit))).toEqual(['swap_depth']);
  });
});

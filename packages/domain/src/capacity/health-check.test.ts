import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attemptBorrow, attemptWithdraw } from './attempt.ts';
import { createHealthCheck } from './health-check.ts';
import { arbitraryState } from './testing/arbitrary-state.ts';

const REALISTIC = 10n ** 15n;
const errorOf = (outcome: { kind: 'done' } | { kind: 'refused'; error: string }) =>
  outcome.kind === 'refused' ? outcome.error : null;
const amounts = fc.array(fc.bigInt({ min: 0n, max: REALISTIC }), { minLength: 1, maxLength: 6 });

describe('createHealthCheck', () => {
  it('judges every borrow as the check that values the whole account', () => {
    const seen = new Set<string | null>();
    fc.assert(
      fc.property(arbitraryState(REALISTIC, 'any'), amounts, (state, tried) => {
        const check = createHealthCheck(state);
        for (const amount of [1n, ...tried]) {
          const error = errorOf(attemptBorrow(state, amount, check));
          seen.add(error);
          expect(error).toBe(errorOf(attemptBorrow(state, amount)));
        }
      }),
      { numRuns: 500 },
    );
    expect(seen).toContain('RiskEngineInitRejected');
    expect(seen).toContain(null);
  });

  it('judges every withdrawal so, and the whole deposit', () => {
    fc.assert(
      fc.property(arbitraryState(REALISTIC, 'deposit'), amounts, (state, tried) => {
        const check = createHealthCheck(state);
        for (const amount of ['all' as const, 0n, ...tried]) {
          expect(errorOf(attemptWithdraw(state, amount, check))).toBe(errorOf(attemptWithdraw(state, amount)));
        }
      }),
      { numRuns: 500 },
    );
  });
});

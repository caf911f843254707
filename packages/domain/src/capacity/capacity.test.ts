import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attemptBorrow, attemptDeposit, attemptWithdraw } from './attempt.ts';
import type { CapacityState } from './capacity-state.ts';
import { maxBorrow } from './max-borrow.ts';
import { maxDeposit } from './max-deposit.ts';
import { maxWithdraw } from './max-withdraw.ts';
import { arbitraryState } from './testing/arbitrary-state.ts';

const errorOf = (outcome: { kind: 'done' } | { kind: 'refused'; error: string }) =>
  outcome.kind === 'refused' ? outcome.error : null;
const borrowError = (state: CapacityState, amount: bigint) => errorOf(attemptBorrow(state, amount));
const withdrawError = (state: CapacityState, amount: bigint) => errorOf(attemptWithdraw(state, amount));
const depositError = (state: CapacityState, amount: bigint) => errorOf(attemptDeposit(state, amount));

/** The largest of the first amounts that passes; -1 when none does. */
function lastPassing(errorAt: (amount: bigint) => string | null, amounts: bigint): bigint {
  for (let amount = amounts; amount >= 0n; amount -= 1n) if (errorAt(amount) === null) return amount;
  return -1n;
}

const REALISTIC = 10n ** 15n;
/** Small enough to try every amount. */
const TINY = 150n;
const EVERY_AMOUNT = 700n;

describe('maxBorrow', () => {
  it('passes, and one base unit more fails', () => {
    fc.assert(
      fc.property(arbitraryState(REALISTIC, 'any'), (state) => {
        const { maxBase, limitedBy, error } = maxBorrow(state);
        if (maxBase > 0n) expect(borrowError(state, maxBase)).toBeNull();
        if (limitedBy === null) return;
        const next = borrowError(state, maxBase + 1n);
        expect(next).not.toBeNull();
        if (maxBase > 0n) expect(next).toBe(error);
      }),
      { numRuns: 400 },
    );
  });

  it('is the largest of all amounts that pass', () => {
    fc.assert(
      fc.property(arbitraryState(TINY, 'any'), (state) => {
        const last = lastPassing((amount) => borrowError(state, amount), EVERY_AMOUNT);
        expect(maxBorrow(state).maxBase).toBe(last > 0n ? last : 0n);
      }),
      { numRuns: 150 },
    );
  });
});

describe('maxWithdraw', () => {
  it('passes, and one base unit more fails', () => {
    fc.assert(
      fc.property(arbitraryState(REALISTIC, 'deposit'), (state) => {
        const { maxBase, limitedBy, error, withdrawsAll } = maxWithdraw(state);
        if (withdrawsAll) {
          expect(errorOf(attemptWithdraw(state, 'all'))).toBeNull();
          return;
        }
        if (maxBase > 0n) expect(withdrawError(state, maxBase)).toBeNull();
        if (limitedBy === null) return;
        const next = withdrawError(state, maxBase + 1n);
        expect(next).not.toBeNull();
        if (maxBase > 0n) expect(next).toBe(error);
      }),
      { numRuns: 400 },
    );
  });

  it('is the largest of all amounts that pass, where not all may leave', () => {
    fc.assert(
      fc.property(arbitraryState(TINY, 'deposit'), (state) => {
        const { maxBase, withdrawsAll } = maxWithdraw(state);
        fc.pre(!withdrawsAll);
        const last = lastPassing((amount) => withdrawError(state, amount), EVERY_AMOUNT);
        expect(maxBase).toBe(last > 0n ? last : 0n);
      }),
      { numRuns: 150 },
    );
  });
});

describe('maxDeposit', () => {
  it('passes, and one base unit more fails', () => {
    fc.assert(
      fc.property(
        arbitraryState(REALISTIC, 'any'),
        fc.option(fc.bigInt({ min: 0n, max: 10n ** 15n })),
        (state, walletBase) => {
          const { maxBase, limitedBy, error } = maxDeposit(state, walletBase);
          if (maxBase > 0n) expect(depositError(state, maxBase)).toBeNull();
          if (limitedBy === null) return;
          const next = depositError(state, maxBase + 1n);
          if (limitedBy !== 'balance' || walletBase === null) expect(next).not.toBeNull();
          if (next !== null && maxBase > 0n && walletBase === null) expect(next).toBe(error);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('is the largest of all amounts that pass', () => {
    fc.assert(
      fc.property(arbitraryState(TINY, 'any'), (state) => {
        const { maxBase, limitedBy } = maxDeposit(state, 400n);
        const last = lastPassing((amount) => {
          const outcome = attemptDeposit(state, amount);
          return outcome.kind === 'done' && outcome.vaultFlowBase > 400n ? 'wallet' : errorOf(outcome);
        }, EVERY_AMOUNT);
        expect(limitedBy).not.toBeNull();
        expect(maxBase).toBe(last > 0n ? last : 0n);
      }),
      { numRuns: 150 },
    );
  });
});

describe('random states', () => {
  it('reach every limit', () => {
    const seen = new Set<string>();
    const sample = (own: 'any' | 'deposit') => fc.sample(arbitraryState(REALISTIC, own), { numRuns: 1000, seed: 7 });
    const found = [
      ...sample('any').flatMap((state) => [maxBorrow(state), maxDeposit(state, REALISTIC / 10n)]),
      ...sample('deposit').map(maxWithdraw),
    ];
    for (const { limitedBy, maxBase } of found) if (limitedBy !== null && maxBase > 0n) seen.add(limitedBy);
    expect([...seen].sort()).toEqual(['balance', 'borrow_cap', 'deposit_cap', 'health', 'liquidity', 'rate_limit']);
  });
});

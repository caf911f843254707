import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { I80F48_ONE, integerToI80F48 } from '../i80f48.ts';
import { PROGRAM_ERROR_NAMES } from '../program-error-name.ts';
import { madeBank, madePrice } from '../risk/testing/made-balances.ts';
import { attemptBorrow, attemptDeposit, attemptWithdraw } from './attempt.ts';
import { balancesOnAction, type StoredBalance } from './balances-on-action.ts';
import type { CapacityState } from './capacity-state.ts';
import { createHealthCheck } from './health-check.ts';
import { LIMITS, limitOfError } from './limit.ts';
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

const NOW = 1_777_000_000n;
const YEAR = 31_536_000n;
const TENFOLD = 4_294_967_295;

function balanceIn(address: string, liabilityShares = 0n): StoredBalance {
  const bank = madeBank({ address, premium: { tag: 1, isActive: true, activatedAt: 0n } });
  const grown = { ...bank, shares: { ...bank.shares, liabilityShareValue: 2n * I80F48_ONE } };
  return {
    bankOf: (isActedOn) => (isActedOn ? grown : bank),
    price: madePrice('1'),
    assetTag: 0,
    assetShares: 0n,
    liabilityShares,
    premium: { rate: TENFOLD, outstanding: 0n, claimedAt: NOW - YEAR },
  };
}

describe('balancesOnAction', () => {
  const owed = integerToI80F48(100n);

  it('has the interest of banks that are acted on, and of no other', () => {
    const balances = balancesOnAction([balanceIn('a', owed), balanceIn('b', owed)], (bank) => bank === 'b', NOW);
    const debtValueOf = (shares: { readonly liabilityShareValue: bigint }) => shares.liabilityShareValue / I80F48_ONE;
    expect(balances.map(({ bank }) => [bank.address, debtValueOf(bank.shares)])).toEqual([
      ['a', 1n],
      ['b', 2n],
    ]);
  });

  it('has premiums of the moment in all of them, on what is owed with that interest', () => {
    const balances = balancesOnAction(
      [balanceIn('a', owed), balanceIn('b', owed), balanceIn('c')],
      (bank) => bank === 'b',
      NOW,
    );
    expect(balances.map(({ premium }) => premium / I80F48_ONE)).toEqual([1_000n, 2_000n, 0n]);
  });
});

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

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { I80F48_ONE, integerToI80F48, parseI80F48 } from '../i80f48.ts';
import { U64_MAX } from '../integers.ts';
import { findFlagRefusal, findStateRefusal } from './action-gates.ts';
import { remainingDepositCapacity } from './bank-limits.ts';
import { socializeLoss } from './socialize-loss.ts';
import { makeLedger } from './testing/make-ledger.ts';
import { markClearedDebt, payableFromVault } from './tokenless.ts';
import { amountAfterFee, amountBeforeFee } from './transfer-fee.ts';

const units = integerToI80F48;

describe('remainingDepositCapacity', () => {
  const limited = (deposited: string) =>
    makeLedger({ totalAssetShares: parseI80F48(deposited), config: { depositLimit: 1000n } });

  it('stays a whole unit below the limit', () => {
    expect(remainingDepositCapacity(limited('900'))).toBe(99n);
    expect(remainingDepositCapacity(limited('900.5'))).toBe(98n);
    expect(remainingDepositCapacity(limited('999'))).toBe(0n);
    expect(remainingDepositCapacity(limited('1000'))).toBe(0n);
    expect(remainingDepositCapacity(makeLedger())).toBe(2n ** 64n - 1n);
  });

  it('has no answer in the last unit, where the program fails', () => {
    expect(remainingDepositCapacity(limited('999.5'))).toBeNull();
  });
});

describe('socializeLoss', () => {
  const bank = { assetShareValue: 2n * I80F48_ONE, totalAssetShares: units(100n) };

  it('takes the loss from the value of every share', () => {
    expect(socializeLoss(bank, units(50n))).toEqual({
      bank: { ...bank, assetShareValue: parseI80F48('1.5') },
      isKilled: false,
    });
  });

  it('kills a bank that has nothing to lose', () => {
    expect(socializeLoss({ ...bank, totalAssetShares: 0n }, 0n).isKilled).toBe(true);
  });

  it('kills a bank that lost everything', () => {
    expect(socializeLoss(bank, units(200n))).toEqual({ bank: { ...bank, assetShareValue: 0n }, isKilled: true });
  });
});

describe('a bank that is wound up', () => {
  const wound = { flags: 1n << 5n, totalLiabilityShares: parseI80F48('0.0009') };

  it('is complete once its debt is a trace', () => {
    expect(markClearedDebt(wound).flags).toBe((1n << 5n) | (1n << 6n));
    expect(markClearedDebt({ ...wound, totalLiabilityShares: units(1n) }).flags).toBe(1n << 5n);
    expect(markClearedDebt({ ...wound, flags: 0n }).flags).toBe(0n);
  });

  it('pays out what its vault holds', () => {
    expect(payableFromVault({ flags: 1n << 6n }, 100n, 60n)).toBe(60n);
    expect(payableFromVault({ flags: 1n << 6n }, 100n, 160n)).toBe(100n);
    expect(payableFromVault({ flags: 0n }, 100n, 60n)).toBe(100n);
  });

  it('takes no deposit and gives no loan', () => {
    expect(findFlagRefusal(1n << 5n, 'deposit')).toBe('BankReduceOnly');
    expect(findFlagRefusal(1n << 5n, 'borrow')).toBe('ForbiddenIx');
    expect(findFlagRefusal(1n << 5n, 'repay')).toBeNull();
    expect(findFlagRefusal(0n, 'borrow')).toBeNull();
  });
});

describe('findStateRefusal', () => {
  it.each([
    [0, 'BankPaused', 'BankPaused'],
    [1, null, null],
    [2, 'BankReduceOnly', null],
    [3, 'BankKilledByBankruptcy', 'BankKilledByBankruptcy'],
    [4, 'BankUninitialized', 'BankUninitialized'],
    [5, 'BankReduceOnly', null],
    [7, 'BankPaused', 'BankPaused'],
  ] as const)('answers for state %i', (operationalState, growing, shrinking) => {
    const bank = { operationalState, preBreakState: 0, isHalted: false };
    expect(findStateRefusal(bank, 'deposit', false)).toBe(growing);
    expect(findStateRefusal(bank, 'borrow', false)).toBe(growing);
    expect(findStateRefusal(bank, 'withdraw', false)).toBe(shrinking);
    expect(findStateRefusal(bank, 'repay', false)).toBe(shrinking);
    expect(findStateRefusal(bank, 'liquidate', false)).toBe(shrinking);
    expect(findStateRefusal(bank, 'close-balance', false)).toBeNull();
  });

  it.each([
    [0, 'BankCircuitBreakerHalted', 'BankPaused'],
    [1, 'BankCircuitBreakerHalted', null],
    [2, 'BankCircuitBreakerHalted', 'BankReduceOnly'],
    [3, 'BankKilledByBankruptcy', 'BankKilledByBankruptcy'],
    [4, 'BankUninitialized', 'BankUninitialized'],
  ] as const)('lets through in a halt what is safe there, as state %i has it', (operationalState, risky, safe) => {
    const bank = { operationalState, preBreakState: 0, isHalted: true };
    expect(findStateRefusal(bank, 'deposit', false)).toBe(risky);
    expect(findStateRefusal(bank, 'deposit', true)).toBe(safe);
    expect(findStateRefusal(bank, 'close-balance', false)).toBeNull();
  });

  it.each([
    [0, 'BankPaused'],
    [1, null],
    [2, 'BankReduceOnly'],
    [3, 'BankKilledByBankruptcy'],
    // Nothing that a bank can have had before: the program takes it for operational.
    [6, null],
    [200, null],
  ] as const)('goes in a broken bank by the state before, %i', (preBreakState, refusal) => {
    const bank = { operationalState: 6, preBreakState, isHalted: true };
    expect(findStateRefusal(bank, 'borrow', false)).toBe('BankCircuitBreakerHalted');
    expect(findStateRefusal(bank, 'deposit', true)).toBe(refusal);
  });
});

describe('amountBeforeFee', () => {
  it('adds nothing without a fee, and to nothing', () => {
    expect(amountBeforeFee(null, 500n)).toBe(500n);
    expect(amountBeforeFee({ basisPoints: 0, maximumFeeBase: 9n }, 500n)).toBe(500n);
    expect(amountBeforeFee({ basisPoints: 10_000, maximumFeeBase: 9n }, 0n)).toBe(0n);
  });

  it('rounds up, to the largest fee at most', () => {
    expect(amountBeforeFee({ basisPoints: 300, maximumFeeBase: 1000n }, 100n)).toBe(104n);
    expect(amountBeforeFee({ basisPoints: 300, maximumFeeBase: 2n }, 100n)).toBe(102n);
    expect(amountBeforeFee({ basisPoints: 10_000, maximumFeeBase: 7n }, 100n)).toBe(107n);
  });

  it('has no answer beyond a u64', () => {
    expect(amountBeforeFee({ basisPoints: 1, maximumFeeBase: U64_MAX }, U64_MAX)).toBeNull();
  });

  it('lets at least the wanted amount arrive', () => {
    const fee = fc.record({ basisPoints: fc.integer({ min: 0, max: 9999 }), maximumFeeBase: fc.bigInt(0n, 10n ** 9n) });
    fc.assert(
      fc.property(fee, fc.bigInt(0n, 10n ** 15n), (transferFee, wanted) => {
        const sent = amountBeforeFee(transferFee, wanted);
        expect(sent).not.toBeNull();
        expect(amountAfterFee(transferFee, sent ?? 0n)).toBeGreaterThanOrEqual(wanted);
      }),
    );
  });
});

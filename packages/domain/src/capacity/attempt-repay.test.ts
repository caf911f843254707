import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { liabilityAmountOf } from '../accounting/share-amounts.ts';
import { amountAfterFee } from '../accounting/transfer-fee.ts';
import { ceilI80F48, floorI80F48, I80F48_ONE, integerToI80F48 } from '../i80f48.ts';
import { attemptRepay } from './attempt-repay.ts';
import { type CapacityState, heldShares } from './capacity-state.ts';
import { maxRepay } from './max-repay.ts';
import { arbitraryState } from './testing/arbitrary-state.ts';
import { holding, type MadeBank, makeState } from './testing/make-state.ts';

const REALISTIC = 10n ** 15n;
const bank = (ledger: MadeBank['ledger'] = {}): MadeBank => ({
  address: 'target',
  ledger: { totalAssetShares: integerToI80F48(1_000n), totalLiabilityShares: integerToI80F48(600n), ...ledger },
});
const owing = (made: MadeBank, amount: bigint) => holding(made, { liabilityShares: amount });
const errorOf = (outcome: ReturnType<typeof attemptRepay>) => (outcome.kind === 'refused' ? outcome.error : null);

describe('attemptRepay', () => {
  it('takes a part off a debt and keeps the slot', () => {
    const made = bank();
    const outcome = attemptRepay(makeState(made, [owing(made, integerToI80F48(500n))]), 200n);
    expect(outcome).toMatchObject({ kind: 'done', vaultFlowBase: 200n });
    if (outcome.kind === 'done') expect(outcome.balance?.liabilityShares).toBe(integerToI80F48(300n));
  });

  it('charges a whole debt rounded up, and frees the slot', () => {
    const made = bank();
    const outcome = attemptRepay(makeState(made, [owing(made, integerToI80F48(500n) + 1n)]), 'all');
    expect(outcome).toMatchObject({ kind: 'done', vaultFlowBase: 501n, balance: null });
  });

  it('pays a premium before the debt, and both of a whole one', () => {
    const made = bank();
    const owed = { ...owing(made, integerToI80F48(500n)), premium: integerToI80F48(50n) + 1n };
    const state = makeState(made, [owed]);
    const part = attemptRepay(state, 200n);
    expect(part).toMatchObject({ kind: 'done', vaultFlowBase: 200n });
    // 150 less a bit are left for the debt.
    if (part.kind === 'done') expect(part.balance?.liabilityShares).toBe(integerToI80F48(350n) + 1n);
    expect(attemptRepay(state, 'all')).toMatchObject({ kind: 'done', vaultFlowBase: 551n, balance: null });
    // A share stays.
    expect(maxRepay(state)).toMatchObject({ maxBase: 549n, limitedBy: 'balance' });
  });

  it('leaves a share of a debt, or is refused', () => {
    // A share is worth 1.5 units: 3.5 shares are 5.25.
    const made = bank({ liabilityShareValue: (I80F48_ONE * 3n) / 2n });
    const state = makeState(made, [owing(made, (I80F48_ONE * 7n) / 2n)]);
    const refusals = [3n, 4n, 5n, 6n].map((amountBase) => errorOf(attemptRepay(state, amountBase)));
    expect(refusals).toEqual([null, 'IllegalBalanceState', 'IllegalBalanceState', 'OperationRepayOnly']);
    expect(maxRepay(state)).toEqual({ maxBase: 3n, limitedBy: 'balance', error: 'IllegalBalanceState' });
    expect(attemptRepay(state, 'all')).toMatchObject({ kind: 'done', vaultFlowBase: 6n, balance: null });
  });

  it('leaves no rest that shares cut off leave, nor one that is yet to grow', () => {
    // 2⁻⁴⁸ stays of the shares when all that they are worth is paid.
    const made = bank({ liabilityShareValue: I80F48_ONE + 3n });
    const shares = (integerToI80F48(500n) << 48n) / (I80F48_ONE + 3n);
    expect(errorOf(attemptRepay(makeState(made, [owing(made, shares)]), 500n))).toBe('IllegalBalanceState');
    const round = bank();
    expect(errorOf(attemptRepay(makeState(round, [owing(round, integerToI80F48(500n))]), 500n))).toBe(
      'IllegalBalanceState',
    );
  });

  it('pays no part of a debt below a share, but the whole', () => {
    const made = bank();
    const state = makeState(made, [owing(made, I80F48_ONE - 1n)]);
    expect(maxRepay(state)).toEqual({ maxBase: 0n, limitedBy: 'balance', error: 'IllegalBalanceState' });
    expect(attemptRepay(state, 'all')).toMatchObject({ kind: 'done', vaultFlowBase: 1n, balance: null });
  });

  it('sends a Token-2022 mint’s fee on top', () => {
    const made = bank();
    const transferFee = { basisPoints: 100, maximumFeeBase: 10_000n };
    const outcome = attemptRepay(makeState(made, [owing(made, integerToI80F48(500n))], { transferFee }), 'all');
    if (outcome.kind !== 'done') throw new Error(outcome.error);
    expect(amountAfterFee(transferFee, outcome.vaultFlowBase)).toBe(500n);
  });

  it('refuses in the program’s order', () => {
    const made = bank({ config: { operationalState: 0 } });
    const state = makeState(made, [owing(made, integerToI80F48(500n))]);
    expect(errorOf(attemptRepay(state, 1n))).toBe('BankPaused');
    const frozen = makeState(made, [owing(made, I80F48_ONE)], { flags: 64n });
    expect(errorOf(attemptRepay(frozen, 1n))).toBe('AccountFrozen');
    const paused = makeState(made, [], { group: { isPaused: true } });
    expect(errorOf(attemptRepay(paused, 1n))).toBe('ProtocolPaused');
    expect(errorOf(attemptRepay(makeState(bank(), []), 1n))).toBe('BankAccountNotFound');
    const lending = makeState(bank(), [holding(bank(), { assetShares: integerToI80F48(5n) })]);
    expect(errorOf(attemptRepay(lending, 'all'))).toBe('NoLiabilityFound');
    expect(errorOf(attemptRepay(lending, 1n))).toBe('OperationRepayOnly');
    const kamino = bank({ config: { assetTag: 3 } });
    expect(errorOf(attemptRepay(makeState(kamino, []), 1n))).toBe('WrongAssetTagForStandardInstructions');
  });
});

/** The same when interest has made a debt a tenth larger. */
function grown(state: CapacityState): CapacityState {
  const { ledger } = state.bank;
  const liabilityShareValue = (ledger.liabilityShareValue * 11n) / 10n;
  return { ...state, bank: { ...state.bank, ledger: { ...ledger, liabilityShareValue } } };
}

describe('maxRepay', () => {
  it('passes now and when the debt has grown, one base unit more fails, and a share is left of what is owed', () => {
    fc.assert(
      fc.property(arbitraryState(REALISTIC, 'any'), (state) => {
        const { maxBase, limitedBy, error } = maxRepay(state);
        if (maxBase > 0n) expect(errorOf(attemptRepay(state, maxBase))).toBeNull();
        if (limitedBy === null) return;
        const next = errorOf(attemptRepay(state, maxBase + 1n));
        expect(next).not.toBeNull();
        if (maxBase === 0n) return;
        expect(next).toBe(error);
        expect(errorOf(attemptRepay(grown(state), maxBase))).toBeNull();
        const owed = liabilityAmountOf(state.bank.ledger, heldShares(state).liabilityShares - I80F48_ONE);
        expect(maxBase).toBeGreaterThanOrEqual(floorI80F48(owed) - 1n);
        expect(maxBase).toBeLessThanOrEqual(ceilI80F48(owed));
      }),
      { numRuns: 400 },
    );
  });
});

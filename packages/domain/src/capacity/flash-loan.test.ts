import { describe, expect, it } from 'vitest';
import { startWindow } from '../accounting/testing/make-ledger.ts';
import { integerToI80F48 } from '../i80f48.ts';
import type { RiskPrice } from '../risk/risk-balance.ts';
import { attemptFlashLoan, type FlashLoanState, type FlashLoanStep } from './flash-loan.ts';
import { holding, type MadeBank, makeState } from './testing/make-state.ts';

const MILLION = 1_000_000n;
const units = integerToI80F48;
const STALE: RiskPrice = { kind: 'failed', error: 'PythPushStalePrice' };
const OFF = startWindow(0n, 0n, 0n);
const filled = {
  totalAssetShares: units(MILLION * MILLION),
  totalLiabilityShares: units(100_000n * MILLION),
};
const bank = (address: string, made: Omit<MadeBank, 'address'> = {}): MadeBank => ({
  address,
  ...made,
  ledger: { ...filled, ...made.ledger },
});
/** Weights 0.8 and 1.25, a dollar each. */
const usdc = bank('usdc');
const usdt = bank('usdt');

function stateOf(
  banks: readonly MadeBank[],
  balances: Parameters<typeof makeState>[1] = [],
  options: Parameters<typeof makeState>[2] = {},
): FlashLoanState {
  const [first, ...others] = banks.map((each) => makeState(each, balances, options));
  if (first === undefined) throw new TypeError('No bank');
  return { ...first, banks: [first.bank, ...others.map((each) => each.bank)] };
}

const step = (kind: FlashLoanStep['kind'], on: string, amountBase: bigint | 'all') =>
  ({ kind, bank: on, amountBase }) as FlashLoanStep;
const loop = (borrow: bigint, supplied: bigint) => [
  step('borrow', 'usdt', borrow * MILLION),
  step('deposit', 'usdc', supplied * MILLION),
];

describe('attemptFlashLoan', () => {
  it('looks at health at the end alone, at what is there then', () => {
    // 100 × 2.7 × 0.8 carry 170 × 1.25: 216 against 212.5.
    const lands = attemptFlashLoan(stateOf([usdc, usdt]), loop(170n, 270n));
    expect(lands).toMatchObject({
      kind: 'done',
      balances: [{ bank: { address: 'usdt' } }, { bank: { address: 'usdc' } }],
    });
    expect(attemptFlashLoan(stateOf([usdc, usdt]), loop(180n, 280n))).toMatchObject({
      kind: 'refused',
      step: null,
      error: 'RiskEngineInitRejected',
    });
  });

  it('counts a bank’s own deposit into the discount of its limit', () => {
    const limited = bank('usdc', { risk: { totalAssetValueInitLimitUsd: 1_000_000n } });
    expect(attemptFlashLoan(stateOf([limited, usdt]), loop(170n, 270n)).kind).toBe('done');
    // A third more than the limit once it is deposited: 0.8 becomes 0.6.
    const supplied = 333_334n;
    expect(attemptFlashLoan(stateOf([limited, usdt]), loop(160_000n, supplied)).kind).toBe('done');
    expect(attemptFlashLoan(stateOf([limited, usdt]), loop(160_001n, supplied))).toMatchObject({ step: null });
  });

  it('asks no window, and names the step that a bank refuses', () => {
    const limited = bank('usdt', { ledger: { rateLimiter: { hourly: startWindow(1n, 3_600n, 0n), daily: OFF } } });
    expect(attemptFlashLoan(stateOf([usdc, limited]), loop(100n, 200n)).kind).toBe('done');
    const full = bank('usdc', { ledger: { config: { depositLimit: 1_000_100n * MILLION } } });
    expect(attemptFlashLoan(stateOf([full, usdt]), loop(50n, 101n))).toMatchObject({
      kind: 'refused',
      step: 1,
      error: 'BankAssetCapacityExceeded',
    });
  });

  it('needs no price of what it closed', () => {
    const held = [
      holding(usdc, { assetShares: units(200n * MILLION) }),
      holding({ ...usdt, price: STALE }, { liabilityShares: units(100n * MILLION) }),
    ];
    const state = stateOf([usdc, { ...usdt, price: STALE }], held);
    const [out, back] = [step('withdraw', 'usdc', 101n * MILLION), step('repay', 'usdt', 'all')];
    expect(attemptFlashLoan(state, [out, back])).toMatchObject({
      kind: 'done',
      balances: [{ bank: { address: 'usdc' } }],
      passed: [{ vaultFlowBase: 101n * MILLION }, { vaultFlowBase: 100n * MILLION }],
    });
    const partial = [out, step('repay', 'usdt', 99n * MILLION)];
    expect(attemptFlashLoan(state, partial)).toMatchObject({ step: null, error: 'PythPushStalePrice' });
  });

  it('deposits where a debt was once it is closed, and not before', () => {
    const held = [
      holding(usdc, { assetShares: units(200n * MILLION) }),
      holding(usdt, { liabilityShares: units(100n * MILLION) }),
    ];
    const state = stateOf([usdc, usdt], held);
    const redeposit = step('deposit', 'usdt', MILLION);
    const all = [step('withdraw', 'usdc', 'all'), step('repay', 'usdt', 'all'), redeposit];
    expect(attemptFlashLoan(state, all)).toMatchObject({ kind: 'done', balances: [{ assetShares: units(MILLION) }] });
    const partial = [step('withdraw', 'usdc', 'all'), step('repay', 'usdt', 99n * MILLION), redeposit];
    expect(attemptFlashLoan(state, partial)).toMatchObject({ step: 2, error: 'OperationDepositOnly' });
  });

  it('pays the premium of a debt first, and judges what is left of both', () => {
    const held = [
      holding(usdc, { assetShares: units(200n * MILLION) }),
      { ...holding(usdt, { liabilityShares: units(100n * MILLION) }), premium: units(30n * MILLION) },
    ];
    const repaying = (amount: bigint) =>
      attemptFlashLoan(stateOf([usdc, usdt], held), [step('repay', 'usdt', amount * MILLION)]);
    // 160 USD carry 128: of 130 with the premium they do not carry 129.
    expect(repaying(1n)).toMatchObject({ kind: 'refused', step: null, error: 'RiskEngineInitRejected' });
    const [, part] = repaying(2n).balances;
    expect(part).toMatchObject({ liabilityShares: units(100n * MILLION), premium: units(28n * MILLION) });
    const [, rest] = repaying(40n).balances;
    expect(rest).toMatchObject({ liabilityShares: units(90n * MILLION), premium: 0n });
    expect(repaying(2n).kind).toBe('done');
  });

  it('lends again what was paid back to a vault before', () => {
    const held = [holding(usdt, { liabilityShares: units(100n * MILLION) })];
    const state = stateOf([usdc, usdt], held, { vaultBase: 0n });
    const again = (tokens: bigint) => [step('repay', 'usdt', 10n * MILLION), step('borrow', 'usdt', tokens * MILLION)];
    expect(attemptFlashLoan(state, again(11n))).toMatchObject({ step: 1, error: 'InsufficientFunds' });
    expect(attemptFlashLoan(state, again(10n))).toMatchObject({ step: null, error: 'RiskEngineInitRejected' });
  });

  it('keeps one isolated debt from standing beside another', () => {
    const isolated = bank('usdt', { risk: { riskTier: 'Isolated' } });
    const other = bank('other');
    const held = [holding(other, { liabilityShares: units(MILLION) })];
    expect(attemptFlashLoan(stateOf([usdc, isolated], held), loop(10n, 110n))).toMatchObject({
      step: null,
      error: 'IsolatedAccountIllegalState',
    });
  });
});

import { describe, expect, it } from 'vitest';
import type { BreakerGate } from '../accounting/circuit-breaker.ts';
import { integerToI80F48, parseI80F48 } from '../i80f48.ts';
import type { RiskPrice } from '../risk/risk-balance.ts';
import { attemptDeposit, attemptWithdraw } from './attempt.ts';
import { attemptRepay } from './attempt-repay.ts';
import { attemptFlashLoan, type FlashLoanStep } from './flash-loan.ts';
import { maxBorrow } from './max-borrow.ts';
import { maxDeposit } from './max-deposit.ts';
import { maxRepay } from './max-repay.ts';
import { maxWithdraw } from './max-withdraw.ts';
import { holding, type MadeBank, makeState, priceOf } from './testing/make-state.ts';

const units = integerToI80F48;
const MILLION = 1_000_000n;
const NOW = 1_000n;
const filled = { totalAssetShares: units(MILLION * MILLION), totalLiabilityShares: units(100_000n * MILLION) };
const breaker = (state: Partial<BreakerGate['state']> = {}, preBreakState = 1): BreakerGate => ({
  terms: { tiersBps: [500, 1_000, 2_000], windowMaxUpBps: 0, windowMaxDownBps: 0 },
  state: {
    tier: 0,
    haltEndedAt: 0n,
    referencePrice: parseI80F48('1'),
    windowReferencePrice: parseI80F48('1'),
    ...state,
  },
  preBreakState,
});
/** At a dollar, weights 0.8 and 1.25; the breaker's references stand at a dollar. */
const bank = (
  address: string,
  { price = '1', ...made }: { state?: Partial<BreakerGate['state']>; price?: string | RiskPrice; broken?: number } = {},
): MadeBank => ({
  address,
  ledger: { ...filled, config: { operationalState: made.broken === undefined ? 1 : 6 } },
  risk: { breaker: breaker(made.state, made.broken) },
  price: typeof price === 'string' ? priceOf(price) : price,
});
const halted = { tier: 1, haltEndedAt: NOW + 1n };
const deposited = (made: MadeBank, tokens = 1_000n) => holding(made, { assetShares: units(tokens * MILLION) });
const owed = (made: MadeBank, tokens = 100n) => holding(made, { liabilityShares: units(tokens * MILLION) });
const HALTED = { maxBase: 0n, limitedBy: 'circuit_breaker', error: 'BankCircuitBreakerHalted' };
const JUMPED = { maxBase: 0n, limitedBy: 'circuit_breaker', error: 'CircuitBreakerPriceJump' };
const usdc = bank('usdc');
const sol = bank('sol');

describe('a halt', () => {
  it('stops borrowing from the bank, and from any other while the account has a balance there', () => {
    expect(maxBorrow(makeState(bank('sol', { state: halted }), [deposited(usdc)]))).toEqual(HALTED);
    expect(maxBorrow(makeState(sol, [deposited(bank('usdc', { state: halted }))]))).toEqual(HALTED);
    expect(maxBorrow(makeState(sol, [deposited(usdc)])).maxBase).toBeGreaterThan(0n);
  });

  it('stops withdrawing from an account that owes, not from one that does not', () => {
    const target = bank('usdc', { state: halted });
    expect(maxWithdraw(makeState(target, [deposited(target), owed(sol)]))).toMatchObject(HALTED);
    expect(maxWithdraw(makeState(target, [deposited(target)])).withdrawsAll).toBe(true);
    const other = bank('jto', { state: halted });
    expect(maxWithdraw(makeState(usdc, [deposited(usdc), deposited(other), owed(sol)]))).toMatchObject(HALTED);
  });

  it('takes a deposit into a balance that is there, and every repayment', () => {
    const target = bank('sol', { state: halted });
    expect(maxDeposit(makeState(target, [deposited(usdc)]), null)).toEqual(HALTED);
    expect(maxDeposit(makeState(target, [deposited(target)]), null).maxBase).toBeGreaterThan(0n);
    expect(maxRepay(makeState(target, [deposited(usdc), owed(target)])).maxBase).toBe(100n * MILLION - 1n);
  });

  it('is over at its end, though the bank keeps its times and its tier', () => {
    const over = bank('sol', { state: { tier: 1, haltEndedAt: NOW } });
    expect(maxBorrow(makeState(over, [deposited(usdc)])).maxBase).toBeGreaterThan(0n);
    const cleared = bank('sol', { state: { tier: 0, haltEndedAt: NOW + 1n } });
    expect(maxBorrow(makeState(cleared, [deposited(usdc)])).maxBase).toBeGreaterThan(0n);
  });

  it('goes on for good in a broken bank, whose state before rules what is safe', () => {
    const broken = (before: number) => bank('sol', { broken: before });
    expect(maxBorrow(makeState(broken(1), [deposited(usdc)]))).toEqual(HALTED);
    expect(attemptRepay(makeState(broken(1), [deposited(usdc), owed(broken(1))]), MILLION).kind).toBe('done');
    expect(attemptWithdraw(makeState(broken(2), [deposited(broken(2))]), MILLION).kind).toBe('done');
    expect(attemptDeposit(makeState(broken(2), [deposited(broken(2))]), MILLION)).toMatchObject({
      error: 'BankReduceOnly',
    });
    expect(attemptRepay(makeState(broken(0), [owed(broken(0))]), MILLION)).toMatchObject({ error: 'BankPaused' });
  });
});

describe('a price that the breaker does not believe', () => {
  it('stops what leaves a debt, whichever bank of the account it is of', () => {
    expect(maxBorrow(makeState(bank('sol', { price: '1.05' }), [deposited(usdc)]))).toEqual(JUMPED);
    expect(maxBorrow(makeState(bank('sol', { price: '1.049' }), [deposited(usdc)])).maxBase).toBeGreaterThan(0n);
    const collateral = bank('usdc', { price: '1.05' });
    expect(maxBorrow(makeState(sol, [deposited(collateral)]))).toEqual(JUMPED);
    expect(
      maxWithdraw(makeState(usdc, [deposited(usdc), deposited(bank('jto', { price: '0.9' })), owed(sol)])),
    ).toMatchObject(JUMPED);
    expect(maxWithdraw(makeState(collateral, [deposited(collateral)])).withdrawsAll).toBe(true);
  });

  it('is forgiven as much as the oracle is unsure of it', () => {
    const unsure = bank('sol', { price: priceOf('1.05', '0.001') });
    expect(maxBorrow(makeState(unsure, [deposited(usdc)])).maxBase).toBeGreaterThan(0n);
  });

  it('no longer counts where its balance is closed', () => {
    const jumped = bank('jto', { price: '1.2' });
    const state = makeState(jumped, [deposited(usdc), deposited(jumped), owed(sol)]);
    expect(attemptWithdraw(state, 'all').kind).toBe('done');
    expect(attemptWithdraw(state, MILLION)).toMatchObject({ error: 'CircuitBreakerPriceJump' });
  });

  it('must be there, though health would do without it', () => {
    const stale: RiskPrice = { kind: 'failed', error: 'PythPushStalePrice' };
    const watched = makeState(sol, [deposited(usdc), deposited(bank('jto', { price: stale }))]);
    expect(maxBorrow(watched)).toMatchObject({ maxBase: 0n, error: 'PythPushStalePrice' });
    const unwatched = { ...bank('jto', { price: stale }), risk: { breaker: null } };
    expect(maxBorrow(makeState(sol, [deposited(usdc), deposited(unwatched)])).maxBase).toBeGreaterThan(0n);
  });

  it('is looked at after health', () => {
    expect(maxBorrow(makeState(bank('sol', { price: '1.05' }), []))).toMatchObject({ limitedBy: 'health' });
  });
});

describe('a flash loan', () => {
  const loop: readonly FlashLoanStep[] = [
    { kind: 'borrow', bank: 'sol', amountBase: 100n * MILLION },
    { kind: 'deposit', bank: 'usdc', amountBase: 1_000n * MILLION },
  ];
  const loan = (banks: readonly MadeBank[], balances: Parameters<typeof makeState>[1] = []) => {
    const [first, second] = banks.map((each) => makeState(each, balances));
    if (first === undefined || second === undefined) throw new TypeError('A loop is of two banks');
    return attemptFlashLoan({ ...first, banks: [first.bank, second.bank] }, loop);
  };

  it('stops at the borrow where a bank of the account is halted or past its first tier', () => {
    expect(loan([sol, usdc]).kind).toBe('done');
    expect(loan([bank('sol', { state: halted }), usdc])).toMatchObject({ step: 0, error: 'BankCircuitBreakerHalted' });
    expect(loan([bank('sol', { price: '1.05' }), usdc])).toMatchObject({ step: 0, error: 'CircuitBreakerPriceJump' });
    const held = [deposited(bank('jto', { price: '0.95' }))];
    expect(loan([sol, usdc], held)).toMatchObject({ step: 0, error: 'CircuitBreakerPriceJump' });
  });

  it('stops at its end where the bank of the deposit alone is past it', () => {
    expect(loan([sol, bank('usdc', { price: '1.05' })])).toMatchObject({
      step: null,
      error: 'CircuitBreakerPriceJump',
    });
  });
});

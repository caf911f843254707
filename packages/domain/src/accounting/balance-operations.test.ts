import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { I80F48_ONE, integerToI80F48, parseI80F48 } from '../i80f48.ts';
import type { Refusal } from '../refusal.ts';
import type { BalanceChange } from './balance-change.ts';
import {
  closeBalance,
  deposit,
  depositIgnoringLimit,
  repay,
  repayAll,
  withdraw,
  withdrawAll,
  withdrawIgnoringLimit,
} from './balance-operations.ts';
import { type BalanceShares, type BankLedger, NO_SHARES } from './bank-ledger.ts';
import { borrow } from './borrow.ts';
import { assetAmountOf, liabilityAmountOf } from './share-amounts.ts';
import { makeLedger } from './testing/make-ledger.ts';

const units = integerToI80F48;
const text = parseI80F48;

/** A bank in which someone else deposited 1,000 and owes 100, and this balance holds what is given. */
function bankHolding(balance: BalanceShares, overrides: Parameters<typeof makeLedger>[0] = {}): BankLedger {
  return makeLedger({
    totalAssetShares: units(1000n) + balance.assetShares,
    totalLiabilityShares: units(100n) + balance.liabilityShares,
    lendingPositionCount: 1 + (balance.assetShares > 0n ? 1 : 0),
    borrowingPositionCount: 1 + (balance.liabilityShares > 0n ? 1 : 0),
    ...overrides,
  });
}

function done<Change extends BalanceChange<BankLedger>>(outcome: Change | Refusal): Change {
  if (outcome.kind === 'refused') throw new Error(`refused: ${outcome.error}`);
  return outcome;
}

describe('deposit', () => {
  it('gives shares cut off toward zero and counts a new lender', () => {
    const bank = makeLedger({ assetShareValue: text('1.5') });
    const { balance, shares, bank: after } = done(deposit(bank, NO_SHARES, units(100n)));
    expect(shares).toBe((units(100n) << 48n) / text('1.5'));
    expect(balance).toEqual({ assetShares: shares, liabilityShares: 0n });
    expect(after).toEqual({ ...bank, totalAssetShares: shares, lendingPositionCount: 1 });
  });

  it('is refused at the limit and passes one unit below', () => {
    const bank = makeLedger({ totalAssetShares: units(900n), config: { depositLimit: 1000n } });
    expect(deposit(bank, NO_SHARES, units(100n))).toEqual({ kind: 'refused', error: 'BankAssetCapacityExceeded' });
    expect(deposit(bank, NO_SHARES, units(99n)).kind).toBe('done');
  });

  it('holds the limit of a Drift bank against nine decimals', () => {
    const bank = makeLedger({ config: { depositLimit: 1n, assetTag: 4 } });
    expect(deposit(bank, NO_SHARES, units(1000n))).toEqual({ kind: 'refused', error: 'BankAssetCapacityExceeded' });
    expect(deposit(bank, NO_SHARES, units(999n)).kind).toBe('done');
  });

  it('is refused while something is owed, but leaves a trace of debt alone', () => {
    const owing = { assetShares: 0n, liabilityShares: units(5n) };
    expect(deposit(bankHolding(owing), owing, units(9n))).toEqual({ kind: 'refused', error: 'OperationDepositOnly' });
    const trace = { assetShares: 0n, liabilityShares: text('0.00005') };
    expect(done(deposit(bankHolding(trace), trace, units(9n))).balance).toEqual({
      assetShares: units(9n) - trace.liabilityShares,
      liabilityShares: trace.liabilityShares,
    });
  });

  it('gives no shares in a bank that lost everything', () => {
    const bank = makeLedger({ assetShareValue: 0n });
    expect(done(deposit(bank, NO_SHARES, units(9n))).shares).toBe(0n);
  });
});

describe('withdraw', () => {
  const holding = { assetShares: units(50n), liabilityShares: 0n };

  it('takes shares and leaves the slot open at nothing', () => {
    const { balance, bank } = done(withdraw(bankHolding(holding), holding, units(50n)));
    expect(balance).toEqual(NO_SHARES);
    expect(bank).toMatchObject({ totalAssetShares: units(1000n), lendingPositionCount: 1 });
  });

  it('is refused above what is held, but forgives a trace', () => {
    expect(withdraw(bankHolding(holding), holding, units(51n))).toEqual({
      kind: 'refused',
      error: 'OperationWithdrawOnly',
    });
    const { balance } = done(withdraw(bankHolding(holding), holding, units(50n) + text('0.00005')));
    expect(balance).toEqual(NO_SHARES);
  });

  it('never pays out of no shares at all', () => {
    const speck = { assetShares: 1n, liabilityShares: 0n };
    const dear = bankHolding(speck, { assetShareValue: (I80F48_ONE * 3n) / 2n });
    expect(withdrawIgnoringLimit(dear, speck, units(5n))).toEqual({ kind: 'refused', error: 'IllegalBalanceState' });
    expect(withdraw(dear, speck, 0n).kind).toBe('done');
  });

  it('is refused when it would leave more owed than deposited', () => {
    const bank = bankHolding(holding, { totalLiabilityShares: units(1001n) });
    expect(withdraw(bank, holding, units(50n))).toEqual({ kind: 'refused', error: 'IllegalUtilizationRatio' });
    expect(withdraw(bank, holding, units(49n)).kind).toBe('done');
  });
});

describe('borrow', () => {
  const rate = (fee: string) => ({ config: { interestRateConfig: { protocolOriginationFee: text(fee) } } });

  it('owes the fee too and splits it between the group and the program', () => {
    const bank = bankHolding(NO_SHARES, rate('0.01'));
    const change = done(borrow(bank, NO_SHARES, 250n, text('0.25')));
    const fee = (units(250n) * text('0.01')) >> 48n;
    const toProgram = (fee * text('0.25')) >> 48n;
    expect(change).toMatchObject({ originationFee: fee, eventAmountBase: 252n, shares: units(250n) + fee });
    expect(change.bank).toMatchObject({
      totalLiabilityShares: units(350n) + fee,
      collectedProgramFeesOutstanding: toProgram,
      collectedGroupFeesOutstanding: fee - toProgram,
      borrowingPositionCount: 2,
    });
  });

  it('is refused at the borrow limit and passes one unit below', () => {
    const bank = bankHolding(NO_SHARES, { config: { borrowLimit: 150n } });
    expect(borrow(bank, NO_SHARES, 50n, 0n)).toEqual({ kind: 'refused', error: 'BankLiabilityCapacityExceeded' });
    expect(borrow(bank, NO_SHARES, 49n, 0n).kind).toBe('done');
  });

  it('is refused when more would be owed than deposited', () => {
    expect(borrow(bankHolding(NO_SHARES), NO_SHARES, 901n, 0n)).toEqual({
      kind: 'refused',
      error: 'IllegalUtilizationRatio',
    });
    expect(borrow(bankHolding(NO_SHARES), NO_SHARES, 900n, 0n).kind).toBe('done');
  });

  it('is refused below a share, and while a deposit is held', () => {
    const dear = bankHolding(NO_SHARES, { liabilityShareValue: text('1.2') });
    expect(borrow(dear, NO_SHARES, 1n, 0n)).toEqual({ kind: 'refused', error: 'IllegalBalanceState' });
    expect(borrow(dear, NO_SHARES, 2n, 0n).kind).toBe('done');
    const lending = { assetShares: units(3n), liabilityShares: 0n };
    expect(borrow(bankHolding(lending), lending, 2n, 0n)).toEqual({ kind: 'refused', error: 'OperationBorrowOnly' });
  });

  it('leaves a trace of a deposit alone, and owes that much less', () => {
    const trace = { assetShares: text('0.00005'), liabilityShares: 0n };
    expect(done(borrow(bankHolding(trace), trace, 9n, 0n)).balance).toEqual({
      assetShares: trace.assetShares,
      liabilityShares: units(9n) - trace.assetShares,
    });
  });

  it('lets nothing be borrowed anywhere', () => {
    expect(done(borrow(bankHolding(NO_SHARES), NO_SHARES, 0n, 0n)).balance).toEqual(NO_SHARES);
  });
});

describe('repay', () => {
  it('is refused above the debt, and books no deposit for a trace', () => {
    const owing = { assetShares: 0n, liabilityShares: units(5n) };
    expect(repay(bankHolding(owing), owing, units(6n))).toEqual({ kind: 'refused', error: 'OperationRepayOnly' });
    const { balance, bank } = done(repay(bankHolding(owing), owing, units(5n) + text('0.00005')));
    expect(balance).toEqual(NO_SHARES);
    expect(bank).toMatchObject({ totalAssetShares: units(1000n), borrowingPositionCount: 1 });
  });
});

describe('closing a balance', () => {
  it('pays whole units of a deposit and keeps the fraction for insurance', () => {
    const holding = { assetShares: text('10.75'), liabilityShares: 0n };
    const closure = done(withdrawAll(bankHolding(holding), holding));
    expect(closure).toMatchObject({ amountBase: 10n, shares: text('10.75'), balance: NO_SHARES });
    expect(closure.bank).toMatchObject({
      collectedInsuranceFeesOutstanding: text('0.75'),
      totalAssetShares: units(1000n),
      lendingPositionCount: 1,
    });
  });

  it('charges whole units of a debt and keeps the excess for insurance', () => {
    const owing = { assetShares: 0n, liabilityShares: text('10.75') };
    const closure = done(repayAll(bankHolding(owing), owing, 0n));
    expect(closure).toMatchObject({ amountBase: 11n, shares: text('10.75') });
    expect(closure.bank).toMatchObject({
      collectedInsuranceFeesOutstanding: text('0.25'),
      totalLiabilityShares: units(100n),
      borrowingPositionCount: 1,
    });
  });

  it('charges the premium of a debt with it, and keeps the excess over both for insurance', () => {
    // 5,000,000⅓, cut off as shares are, and 410,000.25.
    const owing = { assetShares: 0n, liabilityShares: units(15_000_001n) / 3n };
    const closure = done(repayAll(bankHolding(owing), owing, text('410000.25')));
    expect(closure.amountBase).toBe(5_410_001n);
    expect(closure.bank.collectedInsuranceFeesOutstanding).toBe(117_281_240_296_107n);
    expect(done(repayAll(bankHolding(owing), owing, -1n)).amountBase).toBe(5_000_001n);
  });

  it('sweeps a trace of the other side with it: of a debt forgotten, of a deposit to insurance', () => {
    const trace = text('0.00005');
    const holding = { assetShares: text('10.75'), liabilityShares: trace };
    const taken = done(withdrawAll(bankHolding(holding, { borrowingPositionCount: 1 }), holding));
    expect(taken).toMatchObject({ amountBase: 10n, shares: text('10.75') });
    expect(taken.bank).toMatchObject({
      ...{ totalAssetShares: units(1000n), totalLiabilityShares: units(100n) },
      ...{ collectedInsuranceFeesOutstanding: text('0.75'), lendingPositionCount: 1, borrowingPositionCount: 1 },
    });
    const owing = { assetShares: trace, liabilityShares: text('10.75') };
    const paid = done(repayAll(bankHolding(owing, { lendingPositionCount: 1 }), owing, 0n));
    expect(paid).toMatchObject({ amountBase: 11n, shares: text('10.75') });
    expect(paid.bank).toMatchObject({
      ...{ totalAssetShares: units(1000n), totalLiabilityShares: units(100n) },
      ...{
        collectedInsuranceFeesOutstanding: text('0.25') + trace,
        lendingPositionCount: 1,
        borrowingPositionCount: 1,
      },
    });
  });

  it('leaves the count of lenders where there were too few shares to be counted', () => {
    // Worth more than a trace, and fewer shares than one.
    const few = { assetShares: text('0.00008'), liabilityShares: 0n };
    const dear = bankHolding(few, { assetShareValue: 2n * I80F48_ONE, lendingPositionCount: 1 });
    expect(done(withdrawAll(dear, few)).bank.lendingPositionCount).toBe(1);
  });

  it('finds nothing to take on the other side', () => {
    const owing = { assetShares: 0n, liabilityShares: units(5n) };
    const holding = { assetShares: units(5n), liabilityShares: 0n };
    expect(withdrawAll(bankHolding(owing), owing)).toEqual({ kind: 'refused', error: 'NoAssetFound' });
    expect(repayAll(bankHolding(holding), holding, 0n)).toEqual({ kind: 'refused', error: 'NoLiabilityFound' });
  });

  it('leaves no more owed than deposited', () => {
    const holding = { assetShares: units(50n), liabilityShares: 0n };
    const bank = bankHolding(holding, { totalLiabilityShares: units(1000n) + 1n });
    expect(withdrawAll(bank, holding)).toEqual({ kind: 'refused', error: 'IllegalUtilizationRatio' });
  });

  it('closes traces only: the deposit to insurance, the debt forgotten', () => {
    const traces = { assetShares: text('0.00005'), liabilityShares: text('0.00006') };
    const { bank } = done(closeBalance(bankHolding(traces, { lendingPositionCount: 1 }), traces));
    expect(bank).toMatchObject({
      totalAssetShares: units(1000n),
      totalLiabilityShares: units(100n),
      collectedInsuranceFeesOutstanding: traces.assetShares,
      lendingPositionCount: 1,
    });
    const holding = { assetShares: text('0.0002'), liabilityShares: 0n };
    expect(closeBalance(bankHolding(holding), holding)).toEqual({ kind: 'refused', error: 'IllegalBalanceState' });
  });

  it('counts a lender off whose shares are many and worth next to nothing', () => {
    const holding = { assetShares: units(5n), liabilityShares: 0n };
    const collapsed = bankHolding(holding, { assetShareValue: text('0.00001'), totalLiabilityShares: 0n });
    expect(done(closeBalance(collapsed, holding)).bank.lendingPositionCount).toBe(1);
  });
});

describe('the two sides of a liquidation', () => {
  it('take a deposit and then add debt, whatever the limits', () => {
    const holding = { assetShares: units(50n), liabilityShares: 0n };
    const bank = bankHolding(holding, { totalLiabilityShares: units(1050n), config: { borrowLimit: 1n } });
    const { balance, shares, bank: after } = done(withdrawIgnoringLimit(bank, holding, units(80n)));
    expect(balance).toEqual({ assetShares: 0n, liabilityShares: units(30n) });
    expect(shares).toBe(units(30n));
    expect(after).toMatchObject({ lendingPositionCount: 1, borrowingPositionCount: 2 });
  });

  it('pay debt and then add a deposit, whatever the limit', () => {
    const owing = { assetShares: 0n, liabilityShares: units(50n) };
    const bank = bankHolding(owing, { config: { depositLimit: 1n } });
    const { balance, shares } = done(depositIgnoringLimit(bank, owing, units(80n)));
    expect(balance).toEqual({ assetShares: units(30n), liabilityShares: 0n });
    expect(shares).toBe(units(30n));
  });
});

const shareValue = fc.bigInt({ min: I80F48_ONE, max: I80F48_ONE * 5n });
const world = fc
  .record({
    assetShareValue: shareValue,
    liabilityShareValue: shareValue,
    others: fc.bigInt({ min: 0n, max: units(10n ** 15n) }),
    debtPermille: fc.bigInt({ min: 0n, max: 1000n }),
    fee: fc.bigInt({ min: 0n, max: I80F48_ONE / 50n }),
    held: fc.bigInt({ min: 0n, max: units(10n ** 12n) }),
    side: fc.constantFrom('asset' as const, 'liability' as const, 'none' as const),
  })
  .map(({ others, debtPermille, fee, held, side, ...values }) => {
    const balance: BalanceShares = {
      assetShares: side === 'asset' ? held : 0n,
      liabilityShares: side === 'liability' ? held : 0n,
    };
    const totalAssetShares = others + held * 4n;
    const debt = (totalAssetShares * values.assetShareValue * debtPermille) / (values.liabilityShareValue * 1000n);
    const bank = makeLedger({
      ...values,
      totalAssetShares,
      totalLiabilityShares: debt > balance.liabilityShares ? debt : balance.liabilityShares,
      config: { interestRateConfig: { protocolOriginationFee: fee } },
    });
    return { bank, balance };
  });

/** What the bank owes to depositors and as fees, less what it is owed: the vault must never hold less. Raw I80F48. */
function claimsOnVault(bank: BankLedger): bigint {
  return (
    assetAmountOf(bank, bank.totalAssetShares) -
    liabilityAmountOf(bank, bank.totalLiabilityShares) +
    bank.collectedInsuranceFeesOutstanding +
    bank.collectedGroupFeesOutstanding +
    bank.collectedProgramFeesOutstanding
  );
}

function closedAmount(change: BalanceChange<BankLedger> & { readonly amountBase?: bigint }): bigint {
  if (change.amountBase === undefined) throw new Error('this operation closes its balance');
  return change.amountBase;
}

const OPERATIONS = {
  deposit: (bank: BankLedger, balance: BalanceShares, amount: bigint) => deposit(bank, balance, units(amount)),
  withdraw: (bank: BankLedger, balance: BalanceShares, amount: bigint) => withdraw(bank, balance, units(amount)),
  borrow: (bank: BankLedger, balance: BalanceShares, amount: bigint) => borrow(bank, balance, amount, I80F48_ONE / 4n),
  repay: (bank: BankLedger, balance: BalanceShares, amount: bigint) => repay(bank, balance, units(amount)),
  withdrawAll: (bank: BankLedger, balance: BalanceShares) => withdrawAll(bank, balance),
  repayAll: (bank: BankLedger, balance: BalanceShares) => repayAll(bank, balance, 0n),
  closeBalance: (bank: BankLedger, balance: BalanceShares) => closeBalance(bank, balance),
} as const;
type OperationName = keyof typeof OPERATIONS;
const IN: readonly OperationName[] = ['deposit', 'repay', 'repayAll'];
const operationName = fc.constantFrom(...(Object.keys(OPERATIONS) as OperationName[]));
const amountBase = fc.oneof(fc.bigInt({ min: 0n, max: 100n }), fc.bigInt({ min: 0n, max: 10n ** 12n }));

describe('every operation', () => {
  /** A trace below 0.0001 of a base unit is forgiven either way; the rest is a handful of roundings of 2^-48. */
  const FORGIVEN = text('0.0001') + 64n;

  it('creates no value beside the vault, leaves no negative shares, and keeps the totals equal to the balances', () => {
    fc.assert(
      fc.property(world, operationName, amountBase, ({ bank, balance }, name, amount) => {
        const outcome = OPERATIONS[name](bank, balance, amount);
        fc.pre(outcome.kind === 'done');
        const moved = name === 'withdrawAll' || name === 'repayAll' ? closedAmount(outcome) : amount;
        const vault = name === 'closeBalance' ? 0n : units(IN.includes(name) ? moved : -moved);
        const created = claimsOnVault(outcome.bank) - claimsOnVault(bank) - vault;
        expect(created).toBeLessThanOrEqual(FORGIVEN);
        expect(created).toBeGreaterThanOrEqual(-FORGIVEN);
        for (const side of ['AssetShares', 'LiabilityShares'] as const) {
          const [own, total] = [side === 'AssetShares' ? 'assetShares' : 'liabilityShares', `total${side}`] as const;
          expect(outcome.balance[own]).toBeGreaterThanOrEqual(0n);
          expect(outcome.bank[total]).toBeGreaterThanOrEqual(0n);
          expect(outcome.bank[total] - bank[total]).toBe(outcome.balance[own] - balance[own]);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

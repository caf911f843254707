import {
  endDeleverage,
  MARGINFI_PROGRAM,
  marginfiAccountEndExecuteOrder,
  marginfiAccountEndRebalance,
  marginfiAccountStartExecuteOrder,
  marginfiAccountStartRebalance,
  rebalanceExecutedEvent,
  startDeleverage,
} from '@lending/programs';
import { describe, expect, it } from 'vitest';
import {
  ACCOUNT_KEY,
  bankOf,
  borrowCall,
  depositCall,
  endLiquidationCall,
  endLoanCall,
  GROUP_KEY,
  headerOf,
  repayCall,
  startLiquidationCall,
  startLoanCall,
  WALLET,
  withdrawCall,
} from '../testing/made-lending.ts';
import { lendingCall, type MadeCall, madeAddress, madeTrace, told } from '../testing/made-trace.ts';
import type { Activity } from './activity.ts';
import { decodeActivity } from './decode-activity.ts';

const OTHER = madeAddress(0x77);
const LIQUIDATOR = madeAddress(0x31);
const [COLLATERAL, DEBT, THIRD] = [0x10, 0x11, 0x12];
const other = (inner: readonly MadeCall[] = []): MadeCall => ({
  programId: OTHER,
  accounts: [],
  data: new Uint8Array(),
  inner,
});

const borrow = (amount: bigint, bank = DEBT) => borrowCall({ amount, bank, shares: amount });
const deposit = (amount: bigint, bank = COLLATERAL) => depositCall({ amount, bank, shares: amount });
const withdraw = (amount: bigint, bank = COLLATERAL) => withdrawCall({ amount, bank, shares: amount });
const repay = (amount: bigint, bank = DEBT) => repayCall({ amount, bank, shares: amount });

const decode = (...calls: MadeCall[]) => decodeActivity(madeTrace(calls), MARGINFI_PROGRAM).activities;
const inLoan = (...calls: MadeCall[]) => decode(startLoanCall(calls.length + 1), ...calls, endLoanCall());
const shown = (activities: readonly Activity[]) =>
  activities.map(({ id, kind, groupId, legs }) => ({
    id: id.replace('madeSignature', 's'),
    kind,
    groupId: groupId?.replace('madeSignature', 's') ?? null,
    legs: legs.map(({ action, amountBase }) => `${action} ${amountBase}`).join(', '),
  }));

describe('a flash loan', () => {
  it('is one loop when what was borrowed was lent out again', () => {
    expect(shown(decode(deposit(7n), startLoanCall(5), borrow(50n), other(), deposit(48n), endLoanCall()))).toEqual([
      { id: 's:0', kind: 'deposit', groupId: null, legs: 'deposit 7' },
      { id: 's:1', kind: 'loop', groupId: 's:1', legs: 'borrow 50, deposit 48' },
    ]);
  });

  it('is one loop without a swap, too, and when another program calls the lending program', () => {
    expect(shown(inLoan(borrow(50n), deposit(50n, THIRD)))).toMatchObject([{ kind: 'loop' }]);
    expect(shown(inLoan(other([borrow(50n), deposit(50n)])))).toMatchObject([{ id: 's:0', kind: 'loop' }]);
  });

  it('is one close when what was withdrawn repaid', () => {
    expect(shown(inLoan(withdraw(60n), other(), repay(55n)))).toEqual([
      { id: 's:0', kind: 'close_position', groupId: 's:0', legs: 'withdraw 60, repay 55' },
    ]);
  });

  it('is one close where what was over is deposited in the bank that was repaid', () => {
    expect(shown(inLoan(withdraw(60n), other(), repay(55n), deposit(2n, DEBT)))).toEqual([
      { id: 's:0', kind: 'close_position', groupId: 's:0', legs: 'withdraw 60, repay 55, deposit 2' },
    ]);
  });

  it.each([
    ['collateral swapped', [withdraw(60n), deposit(58n, THIRD)]],
    ['debt swapped', [borrow(60n, THIRD), repay(58n)]],
    ['taken back as well', [borrow(60n), deposit(58n), withdraw(1n)]],
    ['repaid as well', [borrow(60n), deposit(58n), repay(1n, THIRD)]],
    ['closed and added to', [withdraw(60n), repay(58n), deposit(1n, THIRD)]],
    ['closed and put back', [withdraw(60n), repay(58n), deposit(1n)]],
    ['of one bank', [borrow(60n), deposit(58n, DEBT)]],
    ['one side only', [deposit(60n)]],
  ])('leaves rows apart but tied: %s', (_name, calls) => {
    const rows = shown(inLoan(...calls));
    expect(rows.map(({ groupId }) => groupId)).toEqual(calls.map(() => 's:0'));
    expect(rows.map(({ id }) => id)).toEqual(calls.map((_call, at) => `s:${at + 1}`));
    expect(rows.map(({ kind }) => kind)).not.toContain('loop');
    expect(rows.map(({ kind }) => kind)).not.toContain('close_position');
  });

  it('is told apart from another one of the same account', () => {
    const calls = [
      startLoanCall(3),
      borrow(5n),
      deposit(4n),
      endLoanCall(),
      startLoanCall(7),
      withdraw(3n),
      repay(2n),
      endLoanCall(),
    ];
    expect(shown(decode(...calls)).map(({ id, kind }) => `${id} ${kind}`)).toEqual(['s:0 loop', 's:4 close_position']);
  });

  it('holds only what was done to its own account, though another one is open at once', () => {
    const second = madeAddress(0x22);
    const calls = [
      startLoanCall(6),
      startLoanCall(5, second),
      borrow(5n),
      depositCall({ amount: 9n, account: second }),
      deposit(4n),
      endLoanCall(second),
      endLoanCall(),
    ];
    expect(shown(decode(...calls))).toEqual([
      { id: 's:0', kind: 'loop', groupId: 's:0', legs: 'borrow 5, deposit 4' },
      { id: 's:3', kind: 'deposit', groupId: 's:1', legs: 'deposit 9' },
    ]);
  });

  it('is not one that another program feigns, that a program calls, or that never ends', () => {
    const feigned = { ...startLoanCall(3), programId: OTHER };
    const rows = [
      decode(feigned, borrow(5n), deposit(4n), endLoanCall()),
      decode(other([startLoanCall(3)]), borrow(5n), deposit(4n), endLoanCall()),
      decode(startLoanCall(3), borrow(5n), deposit(4n)),
      decode(startLoanCall(3), borrow(5n), deposit(4n), endLoanCall(madeAddress(0x22))),
    ];
    for (const activities of rows)
      expect(shown(activities).map(({ kind, groupId }) => [kind, groupId])).toEqual([
        ['borrow', null],
        ['deposit', null],
      ]);
  });
});

describe('a receivership', () => {
  const held = { signer: LIQUIDATOR, bank: COLLATERAL };
  const seized = withdrawCall({ ...held, amount: 60n });
  const calls = [
    startLiquidationCall(LIQUIDATOR),
    seized,
    other(),
    repayCall({ ...held, bank: DEBT, amount: 55n }),
    endLiquidationCall(LIQUIDATOR),
  ];

  it('is one liquidation, of what was withdrawn and repaid', () => {
    expect(decode(...calls)).toEqual([
      {
        id: 'madeSignature:0',
        instructionIndex: 0,
        innerIndex: null,
        kind: 'liquidation',
        groupId: 'madeSignature:0',
        account: ACCOUNT_KEY,
        authority: WALLET,
        actor: LIQUIDATOR,
        group: GROUP_KEY,
        counterparty: null,
        legs: [
          expect.objectContaining({ bank: bankOf(COLLATERAL), action: 'seize', amountBase: 60n }),
          expect.objectContaining({ bank: bankOf(DEBT), action: 'repay', amountBase: 55n }),
        ],
        liquidation: {
          liquidator: LIQUIDATOR,
          assetBank: bankOf(COLLATERAL),
          liabilityBank: bankOf(DEBT),
          seizedBase: 60n,
          repaidBase: 55n,
        },
      },
    ]);
  });

  it('is the risk admin’s when it is a deleverage', () => {
    const accounts = { marginfiAccount: ACCOUNT_KEY, group: GROUP_KEY, riskAdmin: LIQUIDATOR };
    const inner = calls.slice(1, -1);
    const rows = decode(lendingCall(startDeleverage, accounts, {}), ...inner, lendingCall(endDeleverage, accounts, {}));
    expect(rows).toMatchObject([
      { kind: 'liquidation', authority: WALLET, actor: LIQUIDATOR, liquidation: { seizedBase: 60n } },
    ]);
  });

  it('names no bank where several were seized', () => {
    const more = [...calls.slice(0, 2), withdrawCall({ ...held, bank: THIRD, amount: 1n }), ...calls.slice(2)];
    const [only] = decode(...more);
    expect(only?.legs.map(({ action }) => action)).toEqual(['seize', 'seize', 'repay']);
    expect(only?.liquidation).toMatchObject({ assetBank: null, seizedBase: null, repaidBase: 55n });
  });

  it('is told without logs only where somebody knows whose account it was', () => {
    const trace = madeTrace(calls, { logs: null });
    const named = { ...trace, tokenBalances: balancesOf(COLLATERAL, DEBT) };
    expect(decodeActivity(named, MARGINFI_PROGRAM)).toMatchObject({ activities: [], unknown: 1 });
    const known = decodeActivity(named, MARGINFI_PROGRAM, { authorityOf: () => WALLET });
    expect(known).toMatchObject({
      activities: [{ kind: 'liquidation', authority: WALLET, actor: LIQUIDATOR }],
      unknown: 0,
    });
  });
});

describe('the execution of an order', () => {
  it('is one row of the executor', () => {
    const accounts = { group: GROUP_KEY, marginfiAccount: ACCOUNT_KEY, executor: LIQUIDATOR };
    const held = { signer: LIQUIDATOR };
    const rows = decode(
      lendingCall(marginfiAccountStartExecuteOrder, accounts, {}),
      withdrawCall({ ...held, amount: 6n }),
      repayCall({ ...held, amount: 5n, bank: DEBT, isAll: true }),
      lendingCall(marginfiAccountEndExecuteOrder, accounts, {}),
    );
    expect(shown(rows)).toEqual([{ id: 's:0', kind: 'order', groupId: 's:0', legs: 'withdraw 6, repay 5' }]);
    expect(rows).toMatchObject([{ authority: WALLET, actor: LIQUIDATOR, liquidation: null }]);
  });

  it('is one row of the executor where the order moves deposits to the best of its banks', () => {
    const record = madeAddress(8);
    const accounts = {
      group: GROUP_KEY,
      marginfiAccount: ACCOUNT_KEY,
      executor: LIQUIDATOR,
      rebalanceRecord: record,
    };
    const moves = [{ srcIndex: 0, dstIndex: 1, _pad0: new Uint8Array(6), amount: 6n << 48n }];
    const held = { signer: LIQUIDATOR };
    const executed = told(rebalanceExecutedEvent, {
      header: headerOf({ signer: LIQUIDATOR }),
      order: madeAddress(9),
      executor: LIQUIDATOR,
      bankCount: 2,
      valueMoved: 6n << 48n,
      tipEscrowed: 5n,
    });
    const rows = decode(
      lendingCall(marginfiAccountStartRebalance, accounts, { moves, executionSeq: 3n }),
      withdrawCall({ ...held, amount: 6n }),
      depositCall({ ...held, amount: 6n, bank: DEBT }),
      lendingCall(marginfiAccountEndRebalance, accounts, {}, { told: [executed] }),
    );
    expect(shown(rows)).toEqual([{ id: 's:0', kind: 'order', groupId: 's:0', legs: 'withdraw 6, deposit 6' }]);
    const rebalance = {
      order: madeAddress(9),
      executor: LIQUIDATOR,
      record,
      moved: 6n << 48n,
      tipLamports: 5n,
      realized: null,
    };
    expect(rows).toMatchObject([{ authority: WALLET, actor: LIQUIDATOR, rebalance }]);
  });
});

function balancesOf(...banks: number[]) {
  return banks.map((bank) => ({
    account: madeAddress(bank + 0x80),
    mint: madeAddress(bank + 0x40),
    owner: null,
    decimals: 6,
    before: 1_000n,
    after: 900n,
  }));
}

import {
  JITO_TIP_ACCOUNTS,
  lendingAccountDeposit,
  MARGINFI_PROGRAM,
  marginfiAccountCreateEvent,
  marginfiAccountInitialize,
  marginfiAccountInitializePda,
  SYSTEM_PROGRAM,
} from '@lending/programs';
import { describe, expect, it } from 'vitest';
import {
  ACCOUNT_KEY,
  bankOf,
  borrowCall,
  depositCall,
  GROUP_KEY,
  headerOf,
  kaminoWithdrawCall,
  mintOfBank,
  repayCall,
  vaultOf,
  WALLET,
  withdrawCall,
} from '../testing/made-lending.ts';
import { lendingCall, type MadeCall, madeAddress, madeTrace, told } from '../testing/made-trace.ts';
import type { TransactionTrace } from './activity.ts';
import { decodeActivity } from './decode-activity.ts';

const OTHER = madeAddress(0x77);
/** Another program's instruction that makes these calls. */
const calling = (inner: readonly MadeCall[]): MadeCall => {
  return { programId: OTHER, accounts: [], data: new Uint8Array(), inner };
};
const decode = (trace: TransactionTrace) => decodeActivity(trace, MARGINFI_PROGRAM);
const decodeCalls = (...calls: MadeCall[]) => decode(madeTrace(calls));
const legsOf = (trace: TransactionTrace) => decode(trace).activities.flatMap(({ legs }) => legs);

/** As a node without logs has it: the vault's balance stands in for the mint. */
const withoutLogs = (calls: readonly MadeCall[]) =>
  madeTrace(calls, {
    logs: null,
    tokenBalances: [{ account: vaultOf(), mint: mintOfBank(), owner: null, decimals: 6, before: 1_000n, after: 900n }],
  });

const MOVEMENTS = {
  deposit: depositCall({ amount: 50n, shares: 49n }),
  withdraw: withdrawCall({ amount: 50n, shares: 49n }),
  borrow: borrowCall({ amount: 50n, shares: 49n }),
  repay: repayCall({ amount: 50n, shares: 49n }),
} as const;

describe('decodeActivity', () => {
  it.each(Object.entries(MOVEMENTS))('tells a %s from its event', (kind, call) => {
    expect(decodeCalls(call)).toEqual({
      activities: [
        {
          id: 'madeSignature:0',
          instructionIndex: 0,
          innerIndex: null,
          kind,
          groupId: null,
          account: ACCOUNT_KEY,
          authority: WALLET,
          actor: WALLET,
          group: GROUP_KEY,
          counterparty: null,
          legs: [{ bank: bankOf(), mint: mintOfBank(), action: kind, amountBase: 50n, shares: 49n, closesSide: false }],
          liquidation: null,
        },
      ],
      changes: [],
      tipLamports: 0n,
      accounts: [ACCOUNT_KEY],
      unknown: 0,
    });
  });

  it.each([
    ['marginfi_account_initialize', lendingCall(marginfiAccountInitialize, creation(), {}, creationTold())],
    [
      'marginfi_account_initialize_pda',
      lendingCall(marginfiAccountInitializePda, creation(), { accountIndex: 1, thirdPartyId: null }, creationTold()),
    ],
  ])('tells a new account of %s, with and without logs', (_name, call) => {
    const expected = [{ kind: 'create_account', account: ACCOUNT_KEY, authority: WALLET, group: GROUP_KEY, legs: [] }];
    expect(decodeCalls(call).activities).toMatchObject(expected);
    expect(decode(madeTrace([call], { logs: null })).activities).toMatchObject(expected);
  });

  it('counts calls of other programs, and says where they were', () => {
    const outer = calling([MOVEMENTS.deposit, MOVEMENTS.borrow]);
    const ids = decodeCalls(MOVEMENTS.repay, outer).activities.map(({ id, kind }) => `${id} ${kind}`);
    expect(ids).toEqual(['madeSignature:0 repay', 'madeSignature:1:0 deposit', 'madeSignature:1:2 borrow']);
  });

  it('gives nothing for a failed transaction', () => {
    expect(decode(madeTrace([MOVEMENTS.deposit], { isFailed: true })).activities).toEqual([]);
  });

  it('tells what arrived of a borrow, whose event has the fee in it', () => {
    expect(legsOf(madeTrace([borrowCall({ amount: 50n, fee: 5n })]))).toMatchObject([{ amountBase: 50n }]);
  });

  it('tells the tokens of a Kamino withdrawal, whose event has cTokens', () => {
    const call = kaminoWithdrawCall({ amount: 50n, receipts: 43n, isAll: true });
    expect(legsOf(madeTrace([call]))).toMatchObject([{ amountBase: 50n, closesSide: true }]);
    expect(legsOf(withoutLogs([call]))).toMatchObject([{ amountBase: 50n, closesSide: true }]);
  });

  it('adds up tips, of the transaction and of programs it calls', () => {
    const tip = (lamports: bigint, to = JITO_TIP_ACCOUNTS[3]): MadeCall => {
      const data = new Uint8Array(12);
      data[0] = 2;
      new DataView(data.buffer).setBigUint64(4, lamports, true);
      return { programId: SYSTEM_PROGRAM, accounts: [WALLET, to ?? WALLET], data };
    };
    const outer = calling([tip(7n)]);
    expect(decodeCalls(tip(1_000n), tip(5n, WALLET), outer).tipLamports).toBe(1_007n);
  });

  it('counts no other instruction of the system program as a tip', () => {
    const [tipped = WALLET] = JITO_TIP_ACCOUNTS;
    expect(
      decodeCalls({ programId: SYSTEM_PROGRAM, accounts: [WALLET, tipped], data: new Uint8Array(12).fill(1) })
        .tipLamports,
    ).toBe(0n);
  });

  it('tells by the logs what was called where the node kept no inner instructions', () => {
    const outer = calling([MOVEMENTS.borrow, MOVEMENTS.deposit]);
    const whole = madeTrace([MOVEMENTS.repay, outer]);
    const bare = { ...whole, instructions: whole.instructions.filter(({ innerIndex }) => innerIndex === null) };
    const { activities } = decode(bare);
    expect(activities.map(({ id }) => id)).toEqual(decode(whole).activities.map(({ id }) => id));
    // What arrived of a borrow only its instruction tells.
    expect(activities.flatMap(({ legs }) => legs.map(({ amountBase }) => amountBase))).toEqual([50n, null, 50n]);
  });

  it('knows its own inner instructions where other ones are left out', () => {
    const outer = calling([MOVEMENTS.borrow, MOVEMENTS.deposit]);
    const whole = madeTrace([outer]);
    const own = whole.instructions.filter(({ programId }) => programId === OTHER || programId === MARGINFI_PROGRAM);
    const counted = own.map((each, at) => ({ ...each, innerIndex: at === 0 ? null : at - 1 }));
    expect(decode({ ...whole, instructions: counted }).activities.map(({ id }) => id)).toEqual([
      'madeSignature:0:0',
      'madeSignature:0:1',
    ]);
  });

  it('tells a call from the next where no depth was kept', () => {
    const outer = calling([MOVEMENTS.borrow, MOVEMENTS.withdraw]);
    const whole = madeTrace([outer]);
    const flat = whole.instructions.map((each) => ({ ...each, depth: null }));
    expect(decode({ ...whole, instructions: flat }).activities).toEqual(decode(whole).activities);
  });

  it('does not believe an event of another account than its instruction names', () => {
    const strange = { ...MOVEMENTS.deposit, told: depositCall({ amount: 9n, account: OTHER }).told ?? [] };
    expect(decodeCalls(strange).activities).toMatchObject([
      { account: ACCOUNT_KEY, legs: [{ amountBase: 50n, shares: null }] },
    ]);
  });

  it('tells nothing of a deposit that moved nothing', () => {
    const upToLimit = { amount: 50n, depositUpToLimit: true };
    const accounts = {
      group: GROUP_KEY,
      marginfiAccount: ACCOUNT_KEY,
      authority: WALLET,
      bank: bankOf(),
      liquidityVault: vaultOf(),
    };
    expect(decode(withoutLogs([lendingCall(lendingAccountDeposit, accounts, upToLimit)])).activities).toEqual([]);
  });

  it('tells what left a vault by its balance where nothing else does, unless something else touched it', () => {
    const call = withdrawCall({ amount: 100n, isAll: true });
    const bare = (calls: readonly MadeCall[]) => ({ ...withoutLogs(calls), instructions: withoutInner(calls) });
    expect(legsOf(bare([call]))).toMatchObject([{ amountBase: 100n }]);
    const other = { programId: OTHER, accounts: [vaultOf()], data: new Uint8Array() };
    expect(legsOf(bare([call, other]))).toMatchObject([{ amountBase: null }]);
  });

  it('counts what it does not know', () => {
    const strange = {
      programId: MARGINFI_PROGRAM,
      accounts: [],
      data: Uint8Array.of(1, 2, 3),
      told: [new Uint8Array(9)],
    };
    expect(decodeCalls(strange, MOVEMENTS.deposit)).toMatchObject({ unknown: 2, activities: [{ kind: 'deposit' }] });
  });
});

function withoutInner(calls: readonly MadeCall[]) {
  return madeTrace(calls).instructions.filter(({ innerIndex }) => innerIndex === null);
}

function creation() {
  return { marginfiGroup: GROUP_KEY, marginfiAccount: ACCOUNT_KEY, authority: WALLET };
}

function creationTold() {
  return { told: [told(marginfiAccountCreateEvent, { header: headerOf() })] };
}

import {
  keeperCloseOrderEvent,
  keeperCloseRebalanceOrderEvent,
  lendingAccountLiquidate,
  lendingAccountLiquidateEvent,
  lendingAccountPremiumSettledEvent,
  lendingAccountWithdrawEmissions,
  lendingAccountWithdrawEmissionsPermissionless,
  lendingPoolBankHandleBankruptcyEvent,
  lendingPoolHandleBankruptcy,
  MARGINFI_PROGRAM,
  marginfiAccountCloseOrderEvent,
  marginfiAccountCloseRebalanceOrderEvent,
  marginfiAccountPlaceOrder,
  marginfiAccountPlaceOrderEvent,
  marginfiAccountPlaceRebalanceOrder,
  marginfiAccountPlaceRebalanceOrderEvent,
  marginfiAccountSettleRebalanceTip,
  marginfiAccountTransferToNewAccountEvent,
  marginfiAccountUpdateRebalanceOrderEvent,
  NO_KEY,
  rebalanceFeePoolTopUpEvent,
  rebalanceFeePoolWithdrawEvent,
  rebalanceTipSettledEvent,
  transferToNewAccount,
  transferToNewAccountPda,
} from '@lending/programs';
import { describe, expect, it } from 'vitest';
import {
  ACCOUNT_KEY,
  bankOf,
  depositCall,
  GROUP_KEY,
  headerOf,
  mintOfBank,
  repayCall,
  WALLET,
} from '../testing/made-lending.ts';
import { lendingCall, type MadeCall, madeAddress, madeTrace, told } from '../testing/made-trace.ts';
import { decodeActivity } from './decode-activity.ts';

const LIQUIDATOR_ACCOUNT = madeAddress(0x31);
const LIQUIDATOR = madeAddress(0x32);
const NEW_ACCOUNT = madeAddress(0x33);
const NEW_WALLET = madeAddress(0x34);
const ORDER = madeAddress(0x35);
const [COLLATERAL, DEBT] = [0x10, 0x11];
const decode = (...calls: MadeCall[]) => decodeActivity(madeTrace(calls), MARGINFI_PROGRAM);
const decodeUntold = (...calls: MadeCall[]) => decodeActivity(madeTrace(calls, { logs: null }), MARGINFI_PROGRAM);
const only = (...calls: MadeCall[]) => decode(...calls).activities[0];

/** A call of the program whose instruction this build does not know, with an event. */
const telling = (...events: Uint8Array[]): MadeCall => ({
  programId: MARGINFI_PROGRAM,
  accounts: [],
  data: new Uint8Array(8),
  told: events,
});

describe('a classic liquidation', () => {
  const balances = (asset: number, liability: number) => ({
    liquidateeAssetBalance: asset,
    liquidateeLiabilityBalance: liability,
    liquidatorAssetBalance: 0,
    liquidatorLiabilityBalance: 0,
  });
  const event = (account = ACCOUNT_KEY) =>
    told(lendingAccountLiquidateEvent, {
      header: headerOf({ account: LIQUIDATOR_ACCOUNT, authority: LIQUIDATOR, signer: LIQUIDATOR }),
      liquidateeMarginfiAccount: account,
      liquidateeMarginfiAccountAuthority: WALLET,
      assetBank: bankOf(COLLATERAL),
      assetMint: mintOfBank(COLLATERAL),
      liabilityBank: bankOf(DEBT),
      liabilityMint: mintOfBank(DEBT),
      liquidateePreHealth: -5,
      liquidateePostHealth: -1,
      preBalances: balances(1_000.25, 900.5),
      postBalances: balances(499.75, 425.25),
    });
  const accounts = {
    group: GROUP_KEY,
    assetBank: bankOf(COLLATERAL),
    liabBank: bankOf(DEBT),
    liquidatorMarginfiAccount: LIQUIDATOR_ACCOUNT,
    authority: LIQUIDATOR,
    liquidateeMarginfiAccount: ACCOUNT_KEY,
  };
  const args = { assetAmount: 500n, liquidateeAccounts: 4, liquidatorAccounts: 4 };
  const call = lendingCall(lendingAccountLiquidate, accounts, args, { told: [event()] });

  it('has both sides: what was seized as called, what was repaid as the program shows it', () => {
    expect(decode(call)).toMatchObject({
      activities: [
        {
          kind: 'liquidation',
          account: ACCOUNT_KEY,
          authority: WALLET,
          actor: LIQUIDATOR,
          counterparty: LIQUIDATOR_ACCOUNT,
          legs: [
            { bank: bankOf(COLLATERAL), mint: mintOfBank(COLLATERAL), action: 'seize', amountBase: 500n, shares: null },
            { bank: bankOf(DEBT), mint: mintOfBank(DEBT), action: 'repay', amountBase: 475n, shares: null },
          ],
          liquidation: {
            liquidator: LIQUIDATOR,
            assetBank: bankOf(COLLATERAL),
            liabilityBank: bankOf(DEBT),
            seizedBase: 500n,
            repaidBase: 475n,
          },
        },
      ],
      unknown: 0,
    });
    expect(new Set(decode(call).accounts)).toEqual(new Set([ACCOUNT_KEY, LIQUIDATOR_ACCOUNT]));
  });

  it('reads what was seized as versions before 0.1.6 wrote it, without counts', () => {
    expect(only({ ...call, data: call.data.slice(0, 16) })?.liquidation).toMatchObject({ seizedBase: 500n });
    expect(only({ ...call, data: call.data.slice(0, 15) })?.liquidation).toMatchObject({ seizedBase: 501n });
  });

  it('rounds what was seized where the instruction is not known', () => {
    expect(only(telling(event()))?.liquidation).toMatchObject({ seizedBase: 501n, repaidBase: 475n });
  });

  it('does not believe an event of another account than its instruction names', () => {
    const strange = lendingCall(lendingAccountLiquidate, accounts, args, { told: [event(NEW_ACCOUNT)] });
    expect(decode(strange).activities).toEqual([]);
  });

  it('is told without its event only where somebody knows whose account it was, and not what was repaid', () => {
    const known = decodeActivity(madeTrace([call], { logs: null }), MARGINFI_PROGRAM, { authorityOf: () => WALLET });
    expect(known.activities).toMatchObject([
      {
        kind: 'liquidation',
        authority: WALLET,
        liquidation: { liquidator: LIQUIDATOR, seizedBase: 500n, repaidBase: null },
      },
    ]);
    expect(decodeUntold(call)).toMatchObject({
      activities: [],
      unknown: 1,
      accounts: [ACCOUNT_KEY, LIQUIDATOR_ACCOUNT],
    });
  });
});

describe('premium that was settled', () => {
  const settling = (bank: number, premiumSettled: number, premiumWrittenOff: number, account = ACCOUNT_KEY) =>
    told(lendingAccountPremiumSettledEvent, {
      header: headerOf({ account }),
      bank: bankOf(bank),
      mint: mintOfBank(bank),
      premiumSettled,
      premiumWrittenOff,
      premiumOutstandingRemaining: 1.5,
    });
  const repay = repayCall({ amount: 900n, bank: DEBT, shares: 7n });
  const legOf = (...events: Uint8Array[]) => only({ ...repay, told: [...(repay.told ?? []), ...events] })?.legs[0];

  it('is a part of what was repaid, to the nearest base unit', () => {
    const premium = { settledBase: 410n, writtenOffBase: 3n };
    expect(legOf(settling(DEBT, 410.25, 2.75))).toMatchObject({ action: 'repay', amountBase: 900n, premium });
  });

  it('is not in a repayment that tells of none, or of another bank', () => {
    expect(legOf()).not.toHaveProperty('premium');
    expect(legOf(settling(COLLATERAL, 410.25, 0))).not.toHaveProperty('premium');
  });

  it('is unknown where what the program says is no amount', () => {
    expect(legOf(settling(DEBT, Number.NaN, 2))?.premium).toEqual({ settledBase: null, writtenOffBase: 2n });
  });
});

describe('a bankruptcy', () => {
  const header = headerOf({ signer: LIQUIDATOR });
  const debt = {
    bank: bankOf(DEBT),
    mint: mintOfBank(DEBT),
    badDebt: 99.6,
    coveredAmount: 10,
    premiumWrittenOff: null,
    socializedAmount: 89.6,
  };
  const event = told(lendingPoolBankHandleBankruptcyEvent, { header, ...debt });
  const accounts = { group: GROUP_KEY, signer: LIQUIDATOR, bank: bankOf(DEBT), marginfiAccount: ACCOUNT_KEY };
  const call = lendingCall(lendingPoolHandleBankruptcy, accounts, {}, { told: [event] });

  it('writes the debt off, to the nearest base unit', () => {
    expect(only(call)).toMatchObject({
      kind: 'bankruptcy',
      account: ACCOUNT_KEY,
      authority: WALLET,
      actor: LIQUIDATOR,
      legs: [{ bank: bankOf(DEBT), mint: mintOfBank(DEBT), action: 'write_off', amountBase: 100n, shares: null }],
    });
  });

  it('says what premium went with the debt, where there was some', () => {
    const withPremium = (premiumWrittenOff: number | null) =>
      only(telling(told(lendingPoolBankHandleBankruptcyEvent, { header, ...debt, premiumWrittenOff })))?.legs[0];
    const premium = { settledBase: 0n, writtenOffBase: 7n };
    expect(withPremium(7.4)).toMatchObject({ amountBase: 100n, premium });
    for (const none of [0, null]) expect(withPremium(none)).not.toHaveProperty('premium');
  });

  it('is told without its event only where somebody knows whose account it was', () => {
    expect(decodeUntold(call)).toMatchObject({ activities: [], unknown: 1 });
    const known = decodeActivity(madeTrace([call], { logs: null }), MARGINFI_PROGRAM, { authorityOf: () => WALLET });
    expect(known).toMatchObject({
      activities: [{ kind: 'bankruptcy', authority: WALLET, actor: LIQUIDATOR }],
      unknown: 0,
    });
  });
});

describe('a transfer', () => {
  const event = told(marginfiAccountTransferToNewAccountEvent, {
    header: headerOf({ account: NEW_ACCOUNT, authority: NEW_WALLET }),
    oldAccount: ACCOUNT_KEY,
    oldAccountAuthority: WALLET,
    newAccountAuthority: NEW_WALLET,
  });
  const accounts = {
    group: GROUP_KEY,
    oldMarginfiAccount: ACCOUNT_KEY,
    newMarginfiAccount: NEW_ACCOUNT,
    authority: WALLET,
  };

  it.each([
    ['to a key pair', lendingCall(transferToNewAccount, accounts, {}, { told: [event] })],
    [
      'to a derived account',
      lendingCall(transferToNewAccountPda, accounts, { accountIndex: 0, thirdPartyId: null }, { told: [event] }),
    ],
  ])('%s is of the old account, to the new one', (_name, call) => {
    const expected = {
      kind: 'transfer',
      account: ACCOUNT_KEY,
      authority: WALLET,
      actor: WALLET,
      counterparty: NEW_ACCOUNT,
    };
    expect(only(call)).toMatchObject(expected);
    expect(decodeUntold(call).activities).toMatchObject([expected]);
    expect(new Set(decode(call).accounts)).toEqual(new Set([ACCOUNT_KEY, NEW_ACCOUNT]));
  });
});

describe('an order', () => {
  const placed = { order: ORDER, trigger: 0, stopLoss: 1n, takeProfit: 0n, tags: [1, 2] };

  it('placed, closed, or closed by a keeper, is a row without legs', () => {
    const rows = decode(
      telling(told(marginfiAccountPlaceOrderEvent, { header: headerOf(), ...placed })),
      telling(told(marginfiAccountCloseOrderEvent, { header: headerOf(), order: ORDER })),
      telling(told(keeperCloseOrderEvent, { header: { ...headerOf(), signer: null }, order: ORDER })),
    ).activities;
    const expected = { kind: 'order', account: ACCOUNT_KEY, authority: WALLET, legs: [] };
    expect(rows).toMatchObject([expected, expected, { ...expected, actor: madeAddress(0xfe) }]);
  });

  it('to rebalance is a row without legs, as are its pool of tips and a tip that is settled', () => {
    const terms = {
      allowedBanks: [bankOf(), bankOf(DEBT)],
      minImprovement: 1n,
      cooldown: 1n,
      amount: 0n,
      keeperTip: 0n,
    };
    const [header, order] = [headerOf(), ORDER];
    const flow = { header, feePool: NEW_WALLET, amount: 1n, newBalance: 2n };
    const settled = { order, executor: LIQUIDATOR, realized: true, tipPaid: 5n };
    const rows = decode(
      telling(told(marginfiAccountPlaceRebalanceOrderEvent, { header, order, mint: mintOfBank(), ...terms })),
      telling(told(marginfiAccountUpdateRebalanceOrderEvent, { header, order, ...terms })),
      telling(told(rebalanceFeePoolTopUpEvent, flow)),
      telling(told(rebalanceFeePoolWithdrawEvent, flow)),
      telling(told(marginfiAccountCloseRebalanceOrderEvent, { header, order })),
      telling(told(keeperCloseRebalanceOrderEvent, { header: { ...header, signer: null }, order })),
      telling(told(rebalanceTipSettledEvent, { header: { ...header, signer: LIQUIDATOR }, ...settled })),
    ).activities;
    const expected = { kind: 'order', account: ACCOUNT_KEY, authority: WALLET, actor: WALLET, legs: [] };
    const byOthers = [madeAddress(0xfe), LIQUIDATOR].map((actor) => ({ ...expected, actor }));
    expect(rows).toMatchObject([expected, expected, expected, expected, expected, ...byOthers]);
  });

  it('to rebalance says at which address it was placed, with its event and without', () => {
    const accounts = { group: GROUP_KEY, marginfiAccount: ACCOUNT_KEY, authority: WALLET, rebalanceOrder: ORDER };
    const allowedBanks = [bankOf(), bankOf(DEBT)];
    const asked = { minImprovement: null, cooldownSeconds: null, amount: null, keeperTip: null };
    const terms = { minImprovement: 1n, cooldown: 1n, amount: 0n, keeperTip: 0n };
    const event = { header: headerOf(), order: ORDER, mint: mintOfBank(), allowedBanks, ...terms };
    const rebalance = { order: ORDER, executor: null, record: null, moved: null, tipLamports: null, realized: null };
    const placed = { kind: 'order', account: ACCOUNT_KEY, authority: WALLET, legs: [], rebalance };
    expect(only(telling(told(marginfiAccountPlaceRebalanceOrderEvent, event)))).toMatchObject(placed);
    const call = lendingCall(marginfiAccountPlaceRebalanceOrder, accounts, { allowedBanks, ...asked });
    expect(decodeUntold(call).activities).toMatchObject([placed]);
    expect(decodeUntold({ ...call, accounts: call.accounts.slice(0, 4) })).toMatchObject({
      activities: [],
      unknown: 1,
    });
  });

  it('to rebalance says how the tip of an execution was settled, and of which', () => {
    const record = madeAddress(0x36);
    const settled = { order: ORDER, executor: LIQUIDATOR, realized: false, tipPaid: 5n };
    const event = told(rebalanceTipSettledEvent, { header: headerOf({ signer: WALLET }), ...settled });
    const accounts = { group: GROUP_KEY, marginfiAccount: ACCOUNT_KEY, rebalanceRecord: record };
    const rebalance = {
      order: ORDER,
      executor: LIQUIDATOR,
      record,
      moved: null,
      tipLamports: 5n,
      realized: false,
    };
    const call = lendingCall(marginfiAccountSettleRebalanceTip, accounts, {}, { told: [event] });
    expect(only(call)).toMatchObject({ kind: 'order', legs: [], rebalance });
    expect(only(telling(event))?.rebalance).toEqual({ ...rebalance, record: null });
  });

  it('to rebalance has its tip settled after its account was closed, in the group of the instruction', () => {
    const record = madeAddress(0x36);
    const settled = { order: ORDER, executor: LIQUIDATOR, realized: true, tipPaid: 5n };
    const header = { ...headerOf({ signer: WALLET }), marginfiAccountAuthority: NO_KEY, marginfiGroup: NO_KEY };
    const accounts = { group: GROUP_KEY, marginfiAccount: ACCOUNT_KEY, rebalanceRecord: record };
    const event = told(rebalanceTipSettledEvent, { header, ...settled });
    const call = lendingCall(marginfiAccountSettleRebalanceTip, accounts, {}, { told: [event] });
    expect(only(call)).toMatchObject({
      account: ACCOUNT_KEY,
      authority: NO_KEY,
      group: GROUP_KEY,
      rebalance: { record, realized: true, tipLamports: 5n },
    });
  });

  it('of an account that is closed is nobody’s', () => {
    const header = {
      signer: null,
      marginfiAccount: ACCOUNT_KEY,
      marginfiAccountAuthority: NO_KEY,
      marginfiGroup: NO_KEY,
    };
    expect(decode(telling(told(keeperCloseOrderEvent, { header, order: ORDER }))).activities).toEqual([]);
  });

  it.each([
    'd4df4fb6acb7cded',
    '8072472ec247ba6a',
    'a1300bd6e584c095',
    'afe6fb7aa880cf8e',
    'daefc7dd5c9e863e',
    '537b7dccc877f75b',
    '799df6f2f03ffe10',
    'c60db97f076958b6',
  ])('is counted as unknown without its event (%s)', (data) => {
    const call = { ...telling(), data: Uint8Array.from(Buffer.from(data, 'hex')) };
    expect(decodeUntold(call)).toMatchObject({ activities: [], unknown: 1 });
    const event = told(marginfiAccountCloseOrderEvent, { header: headerOf(), order: ORDER });
    expect(decode({ ...call, told: [event] })).toMatchObject({ activities: [{ kind: 'order' }], unknown: 0 });
  });

  it('is told by its instruction alone', () => {
    const accounts = { group: GROUP_KEY, marginfiAccount: ACCOUNT_KEY, authority: WALLET };
    const trigger = { __kind: 'StopLoss', threshold: 1n, maxSlippage: 1 } as const;
    const call = lendingCall(marginfiAccountPlaceOrder, accounts, { bankKeys: [bankOf(), bankOf(DEBT)], trigger });
    expect(decodeUntold(call).activities).toMatchObject([{ kind: 'order', authority: WALLET, legs: [] }]);
  });
});

describe('a claim of rewards', () => {
  const accounts = { group: GROUP_KEY, marginfiAccount: ACCOUNT_KEY, authority: WALLET, bank: bankOf() };

  it('is told by its instruction, which is all there is', () => {
    const expected = { kind: 'emissions_claim', account: ACCOUNT_KEY, authority: WALLET, legs: [] };
    expect(only(lendingCall(lendingAccountWithdrawEmissions, accounts, {}))).toMatchObject(expected);
  });

  it('by anyone is told where something says whose account it is', () => {
    const claim = lendingCall(lendingAccountWithdrawEmissionsPermissionless, accounts, {});
    expect(decode(claim)).toMatchObject({ activities: [], unknown: 1 });
    const row = { kind: 'emissions_claim', authority: WALLET, actor: madeAddress(0xfe) };
    expect(decode(depositCall({ amount: 1n }), claim).activities[1]).toMatchObject(row);
    const known = decodeActivity(madeTrace([claim]), MARGINFI_PROGRAM, { authorityOf: () => WALLET });
    expect(known.activities).toMatchObject([row]);
  });
});

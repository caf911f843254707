import {
  deleverageWithdrawFlowEvent,
  encodeInstruction,
  getAddressBytes,
  lendingAccountBorrowEvent,
  lendingAccountDepositEvent,
  lendingAccountWithdrawEvent,
  MARGINFI_MAIN_GROUP,
  MARGINFI_PROGRAM,
  marginfiAccountInitializePda,
  marginfiAccountLayout,
  marginfiGroupLayout,
} from '@lending/programs';
import { AccountRole, type Address, type Instruction } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { findProgramAddress } from '#engine/derived-address.ts';
import { createModelEngine } from '#engine/model-engine.ts';
import type { InvokeContext } from '#engine/program.ts';
import { INSTRUCTIONS_SYSVAR, SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { addressOf, legacyTransaction, wireOf } from '#engine/testing-transactions.ts';
import * as act from '#market/lending-instructions.ts';
import { DEMO_TOKENS } from '#market/tokens.ts';
import { DEFAULT_PROGRAMS } from '../default-programs.ts';
import { amountOf } from '../token/token-state.ts';
import { forkBorrower, openBorrower } from './testing/borrower.ts';
import { errorOf, eventsOf, expectDone } from './testing/expect-outcome.ts';
import type { MarketChain, Party } from './testing/market-chain.ts';

/**
 * What the random transactions do not come to, neither beside the compiled program (`native/native.test.ts`) nor as recorded of it
 * (`native/recorded.test.ts`). What they do come to, those hold to the byte, and has no test of its own.
 */
const opened = await openBorrower();
const holder = await opened.chain.addParty({ USDC: 0n });
let chain: MarketChain;
let party: Party;
beforeEach(() => {
  ({ chain, party } = forkBorrower(opened));
});

const list = (...banks: Address[]) => chain.healthAccounts(party.account, { with: banks });
const send = (...instructions: readonly Instruction[]) => chain.send(party.wallet, ...instructions);

describe('a bank whose token takes a fee of every transfer', () => {
  beforeEach(() => addTransferFee({ basisPoints: 100, maximumFee: 30_000n }));
  const pyusd = () => chain.bank('PYUSD');
  const held = (account: Address) => amountOf(chain.data(account));
  const vault = () => held(pyusd().liquidityVault);
  const inWallet = () => held(act.tokenAccountOf(party.wallet, act.tokenOf(pyusd())));

  /** Gives the demo's PYUSD a transfer fee, and its accounts the room to keep it in. */
  function addTransferFee(fee: { readonly basisPoints: number; readonly maximumFee: bigint }): void {
    const config = new Uint8Array(108);
    const view = new DataView(config.buffer);
    for (const start of [72, 90]) {
      view.setBigUint64(start + 8, fee.maximumFee, true);
      view.setUint16(start + 16, fee.basisPoints, true);
    }
    extend(DEMO_TOKENS.PYUSD.mint, 1, 1, config);
    for (const account of [pyusd().liquidityVault, act.tokenAccountOf(party.wallet, act.tokenOf(pyusd()))])
      extend(account, 2, 2, new Uint8Array(8));
  }

  function extend(address: Address, accountType: number, extension: number, value: Uint8Array): void {
    const state = chain.accounts.get(address);
    if (state === undefined) throw new TypeError(`${address} is not there`);
    const entry = Uint8Array.of(extension, 0, value.length, 0, ...value);
    const data = new Uint8Array(Math.max(state.data.length, 166) + entry.length);
    data.set(state.data);
    data[165] = accountType;
    data.set(entry, Math.max(state.data.length, 166));
    chain.accounts.set(address, { ...state, data, lamports: 10_000_000n });
  }

  it.each([
    ['so that what is credited arrives', 990_000n, 1_000_000n],
    ['and no more than the largest fee on top', 4_000_000n, 4_030_000n],
  ])('is sent more, %s', (_, credited, sent) => {
    const before = { vault: vault(), wallet: inWallet() };
    const result = expectDone(send(act.deposit(party, pyusd(), credited)));
    expect([vault() - before.vault, before.wallet - inWallet()]).toEqual([credited, sent]);
    expect(eventsOf(result, lendingAccountDepositEvent)).toMatchObject([{ amount: credited }]);
  });

  it('books what leaves the vault, fee included, when somebody withdraws or borrows', () => {
    expectDone(send(act.deposit(party, pyusd(), 3_000_000n)));
    const before = { vault: vault(), wallet: inWallet() };
    const withdrawn = expectDone(send(act.withdraw(party, pyusd(), 990_000n, list(pyusd().address))));
    expect([before.vault - vault(), inWallet() - before.wallet]).toEqual([1_000_000n, 990_000n]);
    expect(eventsOf(withdrawn, lendingAccountWithdrawEvent)).toMatchObject([{ amount: 1_000_000n }]);

    const without = chain.healthAccounts(party.account, { without: [pyusd().address] });
    expectDone(send(act.withdraw(party, pyusd(), 'all', without)));
    const borrowed = expectDone(send(act.borrow(party, pyusd(), 990_000n, list(pyusd().address))));
    expect(eventsOf(borrowed, lendingAccountBorrowEvent)).toMatchObject([{ amount: 1_000_000n }]);
  });

  it('refuses a first account that is no mint', () => {
    chain.edit(DEMO_TOKENS.PYUSD.mint, (data) => data.fill(0, 45, 46));
    expect(errorOf(send(act.deposit(party, pyusd(), 1n)))).toBe('T22MintRequired');
  });
});

it('tells of what a deleverage takes, and stops at the limit of the day', () => {
  const limit = (dailyLimit: number, withdrawnToday: number, since: bigint) =>
    chain.rewrite(marginfiGroupLayout, MARGINFI_MAIN_GROUP, (group) => ({
      ...group,
      deleverageWithdrawWindowCache: {
        ...group.deleverageWithdrawWindowCache,
        ...{ dailyLimit, withdrawnToday, lastDailyResetTimestamp: chain.context.unixTimestamp - since },
      },
    }));
  const owner = { ...holder, account: party.account };
  const take = (amount: bigint) => chain.send(holder.wallet, act.withdraw(owner, chain.bank('USDC'), amount, list()));
  chain.rewrite(marginfiAccountLayout, party.account, (value) => ({ ...value, accountFlags: 16n | 32n }));
  limit(1_000, 0, 0n);
  const [event] = eventsOf(expectDone(take(900_000_000n)), deleverageWithdrawFlowEvent);
  expect(event).toMatchObject({ outflowUsd: 898, currentTimestamp: chain.context.unixTimestamp });
  limit(1_000, 102, 86_399n);
  expect(errorOf(take(902_000_000n))).toBe('DailyWithdrawalLimitExceeded');
  limit(1_000, 102, 86_400n);
  expectDone(take(902_000_000n));
});

it('opens no seventeenth balance', () => {
  chain.rewrite(marginfiAccountLayout, party.account, ({ lendingAccount, ...account }) => ({
    ...account,
    lendingAccount: { ...lendingAccount, balances: lendingAccount.balances.map((one) => ({ ...one, active: 1 })) },
  }));
  expect(errorOf(send(act.deposit(party, chain.bank('USDT'), 1n)))).toBe('LendingAccountBalanceSlotsFull');
});

it.each([
  ['a free one', 9_999, null],
  ['one that nobody registered', 10_000, 'Unauthorized'],
  ['one that another program registered', 11_111, 'Unauthorized'],
])('derives an account for a third party’s id: %s', (_, thirdPartyId, error) => {
  const keys = [MARGINFI_MAIN_GROUP, party.wallet].map(getAddressBytes);
  const id = Uint8Array.of(thirdPartyId & 0xff, thirdPartyId >> 8);
  const seeds = [new TextEncoder().encode('marginfi_account'), ...keys, new Uint8Array(2), id];
  const accounts = {
    marginfiGroup: MARGINFI_MAIN_GROUP,
    marginfiAccount: findProgramAddress(seeds, MARGINFI_PROGRAM).address,
    authority: party.wallet,
    feePayer: party.wallet,
    instructionsSysvar: INSTRUCTIONS_SYSVAR,
    systemProgram: SYSTEM_PROGRAM,
  };
  const args = { accountIndex: 0, thirdPartyId };
  expect(errorOf(send(encodeInstruction(marginfiAccountInitializePda, MARGINFI_PROGRAM, accounts, args)))).toBe(error);
});

describe('a flash loan', () => {
  const CALLER = addressOf(60);

  /** The instruction as another program passes it on. */
  function byCaller({ accounts = [], data = new Uint8Array() }: Instruction): Instruction {
    const program = { address: MARGINFI_PROGRAM, role: AccountRole.READONLY };
    return { programAddress: CALLER, accounts: [program, ...accounts], data };
  }

  function sendWithCaller(...instructions: readonly Instruction[]) {
    const caller = { programId: CALLER, units: 1n, handle: passOn };
    const wire = wireOf(legacyTransaction(party.wallet, instructions));
    const engine = createModelEngine([...DEFAULT_PROGRAMS, caller]);
    return engine.execute(wire, chain.accounts, chain.context, { verifySignatures: false });
  }

  function passOn(context: InvokeContext): void {
    const accounts = context.accounts
      .slice(1)
      .map(({ address, isSigner, isWritable }) => ({ address, isSigner, isWritable }));
    context.invoke({ programId: MARGINFI_PROGRAM, accounts, data: context.data });
  }

  it('is neither started nor ended by another program', () => {
    const [start, end] = [act.startFlashLoan(party, 2n), act.endFlashLoan(party, list())];
    expect(errorOf(sendWithCaller(byCaller(act.startFlashLoan(party, 1n)), end))).toBe('NotAllowedInCPI');
    expect(errorOf(sendWithCaller(start, byCaller(end), end))).toBe('NotAllowedInCPI');
  });
});

describe('the logs', () => {
  const deposit = () => act.deposit(party, chain.bank('USDC'), 1_000_000n);
  /** The instruction with one of its accounts changed. */
  const withAccount = (instruction: Instruction, index: number, address: Address): Instruction => ({
    ...instruction,
    accounts: (instruction.accounts ?? []).map((meta, at) =>
      at === index ? { address, role: AccountRole.READONLY } : meta,
    ),
  });

  it('name the instruction and the transfer inside it, and have its event', () => {
    const { logs } = expectDone(send(deposit()));
    expect(logs.slice(0, 2)).toEqual([
      `Program ${MARGINFI_PROGRAM} invoke [1]`,
      'Program log: Instruction: LendingAccountDeposit',
    ]);
    expect(logs).toContain('Program TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA invoke [2]');
    expect(logs.filter((line) => line.startsWith('Program data: '))).toHaveLength(1);
    expect(logs.at(-1)).toBe(`Program ${MARGINFI_PROGRAM} success`);
  });

  it('write an error the way Anchor does: by account, or by none', () => {
    expect(send(withAccount(deposit(), 2, SYSTEM_PROGRAM)).logs).toContain(
      'Program log: AnchorError caused by account: authority. Error Code: AccountNotSigner. Error Number: 3010. Error Message: Account not signer.',
    );
    chain.edit(chain.bank('USDC').address, (data) => data.fill(2, 608, 609));
    const { logs } = send(deposit());
    expect(logs.join('\n')).toMatch(
      /Program log: AnchorError .*Error Code: BankReduceOnly. Error Number: 6017. Error Message: Bank reduce only./,
    );
    expect(logs.at(-1)).toBe(`Program ${MARGINFI_PROGRAM} failed: custom program error: 0x1781`);
  });

  it('have both keys of a comparison that failed', () => {
    const other = chain.bank('USDT').liquidityVault;
    const { logs } = send(withAccount(deposit(), 5, other));
    const at = logs.findIndex((line) => line.includes('InvalidLiquidityVault'));
    const lines = ['Left:', chain.bank('USDC').liquidityVault, 'Right:', other];
    expect(logs.slice(at + 1, at + 5)).toEqual(lines.map((line) => `Program log: ${line}`));
  });
});

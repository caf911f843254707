import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as programs from '@lending/programs';
import {
  circuitBreakerClearedEvent,
  type EventLayout,
  encodeEvent,
  lendingAccountBorrowEvent,
  lendingAccountDepositEvent,
  lendingPoolBankAccrueInterestEvent,
  liquidationTagEvent,
  MARGINFI_PROGRAM,
  marginfiAccountTransferToNewAccountEvent,
} from '@lending/programs';
import { address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { ACCOUNT_KEY, depositCall, headerOf, WALLET } from '../testing/made-lending.ts';
import { type MadeCall, madeAddress, madeTrace, told } from '../testing/made-trace.ts';
import { walkLogs } from '../walk-logs.ts';
import { accountsInLogs } from './accounts-in-logs.ts';
import { decodeEvents } from './decode-events.ts';

const MARGINFI = 'MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA';
const OTHER = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4';
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const ED25519 = 'Ed25519SigVerify111111111111111111111111111';
const someone = address('11111111111111111111111111111111');
const header = { signer: someone, marginfiAccount: someone, marginfiAccountAuthority: someone, marginfiGroup: someone };
const invoke = (program: string, depth = 1) => `Program ${program} invoke [${depth}]`;
const success = (program: string) => `Program ${program} success`;
const dataLine = (bytes: Uint8Array) => `Program data: ${Buffer.from(bytes).toString('base64')}`;
const line = <T>(layout: EventLayout<T>, value: T) => dataLine(encodeEvent(layout, value));
const deposit = (amount: bigint, shareAmount: bigint | null = null) =>
  line(lendingAccountDepositEvent, { header, bank: someone, mint: someone, amount, shareAmount });
const borrow = (amount: bigint) =>
  line(lendingAccountBorrowEvent, { header, bank: someone, mint: someone, amount, shareAmount: 7n });
const accrue = (delta: bigint) =>
  line(lendingPoolBankAccrueInterestEvent, {
    header: { signer: null, marginfiGroup: someone },
    bank: someone,
    mint: someone,
    delta,
    feesCollected: 0.5,
    insuranceCollected: 0,
  });

const kindsAndDepths = (logs: readonly string[]) =>
  decodeEvents(logs, MARGINFI).events.map(({ kind, path }) => `${kind} ${path.depth}`);

const EVENT_LAYOUTS = Object.values<unknown>(programs).filter(
  (value): value is EventLayout => typeof value === 'object' && value !== null && 'fields' in value,
);

describe('decodeEvents', () => {
  it.each(EVENT_LAYOUTS.map((layout) => [layout.name, layout] as const))('has a word for %s', (_name, layout) => {
    const decoded = decodeEvents([invoke(MARGINFI), dataLine(layout.discriminator), success(MARGINFI)], MARGINFI);
    expect(decoded.unknown).toBe(0);
  });

  it('gives the events of the program in order, with their fields', () => {
    const { events, ...rest } = decodeEvents(
      [
        invoke(MARGINFI),
        'Program log: Instruction: LendingAccountDeposit',
        accrue(9n),
        deposit(5n, 6n),
        success(MARGINFI),
      ],
      MARGINFI,
    );
    expect(events).toMatchObject([
      { kind: 'interestAccrued', fields: { delta: 9n, feesCollected: 0.5, header: { signer: null } } },
      { kind: 'deposited', fields: { amount: 5n, shareAmount: 6n, header: { marginfiAccount: someone } } },
    ]);
    expect(rest).toEqual({ isTruncated: false, isFailed: false, skipped: 0, unknown: 0 });
  });

  it('reads what versions before 0.1.9 wrote, and what later ones may append', () => {
    const longer = Buffer.concat([
      Buffer.from(deposit(5n, 6n).slice('Program data: '.length), 'base64'),
      Buffer.alloc(9),
    ]);
    const logs = [invoke(MARGINFI), deposit(5n), dataLine(longer), success(MARGINFI)];
    const amounts = decodeEvents(logs, MARGINFI).events.map(
      (event) => event.kind === 'deposited' && event.fields.shareAmount,
    );
    expect(amounts).toEqual([null, 6n]);
  });

  it('ignores the same bytes of another program, in and out of calls', () => {
    const logs = [
      invoke(OTHER),
      deposit(1n),
      invoke(MARGINFI, 2),
      invoke(TOKEN, 3),
      deposit(2n),
      success(TOKEN),
      deposit(3n),
      success(MARGINFI),
      deposit(4n),
      success(OTHER),
      invoke(MARGINFI),
      borrow(5n),
      success(MARGINFI),
    ];
    expect(kindsAndDepths(logs)).toEqual(['deposited 2', 'borrowed 1']);
  });

  it('keeps the stack right when the program calls itself and consumption is logged', () => {
    const logs = [
      invoke(MARGINFI),
      invoke(MARGINFI, 2),
      deposit(1n),
      `Program ${MARGINFI} consumed 10 of 200 compute units`,
      `Program return: ${MARGINFI} AAAA`,
      success(MARGINFI),
      borrow(2n),
      success(MARGINFI),
      deposit(3n),
    ];
    expect(kindsAndDepths(logs)).toEqual(['deposited 2', 'borrowed 1']);
  });

  it('believes no line that a program logged to look like the runtime', () => {
    const logs = [
      invoke(OTHER),
      `Program log: ${invoke(MARGINFI, 2)}`,
      `Program log: x\n${invoke(MARGINFI, 2)}`,
      deposit(1n),
      success(OTHER),
      invoke(MARGINFI),
      `Program log: ${success(MARGINFI)}`,
      `Program log: Log truncated`,
      borrow(2n),
      success(MARGINFI),
    ];
    expect(decodeEvents(logs, MARGINFI)).toMatchObject({ events: [{ kind: 'borrowed' }], isTruncated: false });
  });

  it('stops at cut logs and says so', () => {
    const logs = [invoke(MARGINFI), deposit(1n), 'Log truncated', borrow(2n), success(MARGINFI)];
    expect(decodeEvents(logs, MARGINFI)).toMatchObject({ events: [{ kind: 'deposited' }], isTruncated: true });
  });

  it('skips and counts what cannot be read, and counts what it does not know', () => {
    const logs = [
      invoke(MARGINFI),
      'Program data: not base64!',
      'Program data: AAA',
      'Program data: AAAA',
      dataLine(
        encodeEvent(lendingAccountDepositEvent, {
          header,
          bank: someone,
          mint: someone,
          amount: 1n,
          shareAmount: null,
        }).subarray(0, 100),
      ),
      dataLine(new Uint8Array(40)),
      borrow(2n),
      success(MARGINFI),
    ];
    expect(decodeEvents(logs, MARGINFI)).toMatchObject({ events: [{ kind: 'borrowed' }], skipped: 4, unknown: 1 });
  });

  it('gives nothing for a transaction that failed', () => {
    const logs = [
      invoke(MARGINFI),
      deposit(1n),
      success(MARGINFI),
      invoke(OTHER),
      `Program ${OTHER} failed: custom program error: 0x1771`,
    ];
    expect(decodeEvents(logs, MARGINFI)).toMatchObject({ events: [], isFailed: true, isTruncated: false });
  });

  it('names the instruction of each event past instructions that log nothing', () => {
    const logs = [
      invoke(OTHER),
      success(OTHER),
      invoke(MARGINFI),
      deposit(1n),
      success(MARGINFI),
      invoke(MARGINFI),
      borrow(2n),
    ];
    const paths = (list?: string[]) =>
      decodeEvents(logs, MARGINFI, list).events.map((event) => event.path.instructionIndex);
    expect(paths([ED25519, OTHER, ED25519, MARGINFI, MARGINFI])).toEqual([3, 4]);
    expect(paths()).toEqual([null, null]);
    expect(paths([OTHER, MARGINFI])).toEqual([1, null]);
  });
});

describe('accountsInLogs', () => {
  const OTHER = madeAddress(0x77);
  const [first, second] = [madeAddress(0x21), madeAddress(0x22)];
  const read = (...calls: MadeCall[]) => accountsInLogs(madeTrace(calls).logs ?? [], MARGINFI_PROGRAM);
  const deposit = (account = ACCOUNT_KEY) => depositCall({ amount: 1n, account });
  const by = (programId: typeof OTHER, inner: MadeCall[] = [], events: Uint8Array[] = []): MadeCall => ({
    programId,
    accounts: [],
    data: new Uint8Array(),
    inner,
    told: events,
  });

  it('names every account once, in and out of calls', () => {
    expect(read(deposit(first), by(OTHER, [deposit(second), deposit(first)]))).toEqual({
      accounts: [first, second],
      isTruncated: false,
      isFailed: false,
      hasGroupChange: false,
    });
  });

  it('says when something happened to a bank, whatever accounts are named', () => {
    const event = told(circuitBreakerClearedEvent, { priorTier: 1, reason: 1, currentTimestamp: 5n });
    expect(read(deposit(first), by(MARGINFI_PROGRAM, [], [event]))).toMatchObject({
      accounts: [first],
      hasGroupChange: true,
    });
    expect(read(by(OTHER, [], [event])).hasGroupChange).toBe(false);
  });

  it('names both accounts of a transfer', () => {
    const fields = { oldAccount: first, oldAccountAuthority: WALLET, newAccountAuthority: WALLET };
    const event = told(marginfiAccountTransferToNewAccountEvent, { header: headerOf({ account: second }), ...fields });
    expect(read(by(MARGINFI_PROGRAM, [], [event])).accounts).toEqual([first, second]);
  });

  it('names an account that is tagged for liquidation', () => {
    const event = told(liquidationTagEvent, { account: first, taggedAt: 5n });
    expect(read(by(MARGINFI_PROGRAM, [], [event])).accounts).toEqual([first]);
  });

  it('says when accounts may be missing', () => {
    const logs = [...(madeTrace([deposit(first)]).logs ?? []), 'Log truncated'];
    expect(accountsInLogs(logs, MARGINFI_PROGRAM)).toMatchObject({ accounts: [first], isTruncated: true });
    expect(read(by(MARGINFI_PROGRAM, [], [new Uint8Array(9)])).isTruncated).toBe(true);
  });

  it('says when the transaction failed', () => {
    const logs = [
      `Program ${MARGINFI_PROGRAM} invoke [1]`,
      `Program ${MARGINFI_PROGRAM} failed: custom program error: 0x1`,
    ];
    expect(accountsInLogs(logs, MARGINFI_PROGRAM).isFailed).toBe(true);
  });
});

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const FOLDER = resolve(ROOT, process.env.FIXTURES_DIR ?? '../shared/fixtures', 'transactions');
const readJson = (name: string) => JSON.parse(readFileSync(resolve(FOLDER, name), 'utf8'));
const logsOf = (name: string): string[] => readJson(`${name}.json`).meta.logMessages;

describe.skipIf(!existsSync(FOLDER))('recorded logs (FIXTURES_DIR)', () => {
  it.each([
    [
      'marginfi-add-bank-2z-legacy',
      'MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA',
      ['bankCreated', 'bankOracleConfigured'],
    ],
    ['marginfi-add-bank-kamino-usdc', 'MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA', ['bankCreated']],
  ])('of %s hold these events', (name, program, kinds) => {
    const { events, ...rest } = decodeEvents(logsOf(name), program);
    expect(events.map((event) => event.kind)).toEqual(kinds);
    expect(rest).toEqual({ isTruncated: false, isFailed: false, skipped: 0, unknown: 0 });
    const expected = readJson(`${name}.expected.json`).events[0].data;
    expect(events[0]?.fields).toMatchObject({ bank: expected.bank, mint: expected.mint });
  });

  it('of a swap attribute its one data line to the program between its calls', () => {
    const { lines, started, isTruncated } = walkLogs(logsOf('mainnet-meta-cpi'));
    const { invocations, programDataLines } = readJson('mainnet-meta-cpi.expected.json');
    const top = invocations.filter((each: { depth: number }) => each.depth === 1);
    expect(started).toEqual(top.map((each: { program: string }) => each.program));
    const data = lines.filter((line) => line.kind === 'data');
    expect(data).toHaveLength(programDataLines);
    expect(data[0]).toMatchObject({ programId: started[3], depth: 1, started: 4 });
    expect(isTruncated).toBe(false);
  });
});

import * as programs from '@lending/programs';
import {
  type EventLayout,
  encodeEvent,
  lendingAccountBorrowEvent,
  lendingAccountDepositEvent,
  lendingPoolBankAccrueInterestEvent,
} from '@lending/programs';
import { address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
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

  it('reads nothing from no logs', () => {
    expect(decodeEvents([], MARGINFI)).toEqual({
      events: [],
      isTruncated: false,
      isFailed: false,
      skipped: 0,
      unknown: 0,
    });
  });
});

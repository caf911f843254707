import * as programs from '@lending/programs';
import {
  type InstructionLayout,
  MARGINFI_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@lending/programs';
import type { Address } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  borrowCall,
  depositCall,
  endLoanCall,
  kaminoWithdrawCall,
  type MadeMovement,
  mintOfBank,
  repayCall,
  startLoanCall,
  vaultOf,
  withdrawCall,
} from '../testing/made-lending.ts';
import { type MadeCall, madeAddress, madeTrace } from '../testing/made-trace.ts';
import { accountsInLogs } from './accounts-in-logs.ts';
import type { Activity, TransactionTrace } from './activity.ts';
import { decodeActivity } from './decode-activity.ts';

const OTHER = madeAddress(0x77);
const BANKS = [0x10, 0x11, 0x12];
const ACCOUNTS = [madeAddress(2), madeAddress(0x22)];
const decode = (trace: TransactionTrace) => decodeActivity(trace, MARGINFI_PROGRAM);
const movement = fc
  .record({
    make: fc.constantFrom(depositCall, withdrawCall, borrowCall, repayCall, kaminoWithdrawCall),
    amount: fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }),
    shares: fc.bigInt({ min: 1n, max: 2n ** 100n }),
    bank: fc.constantFrom(...BANKS),
    account: fc.constantFrom(...ACCOUNTS),
    isAll: fc.boolean(),
  })
  .map(({ make, ...made }) => make({ ...made, receipts: 5n } satisfies MadeMovement & { receipts: bigint }));

const by = (inner: readonly MadeCall[]): MadeCall => ({
  programId: OTHER,
  accounts: [],
  data: new Uint8Array(),
  inner,
});
const calls = fc.array(fc.oneof(movement, fc.array(movement, { maxLength: 3 }).map(by)), { maxLength: 6 });

/** Some transactions hold their calls in flash loans of both accounts. */
const transaction = fc.tuple(calls, calls, calls, fc.boolean()).map(([first, second, third, isLoan]) => {
  if (!isLoan) return [...first, ...second, ...third];
  const account = ACCOUNTS[1];
  const inside = [
    startLoanCall(0),
    ...second,
    endLoanCall(),
    startLoanCall(0, account),
    ...third,
    endLoanCall(account),
  ];
  return [...first, ...inside];
});

const tokenBalances = BANKS.map((bank) => ({
  account: vaultOf(bank),
  mint: mintOfBank(bank),
  owner: null,
  decimals: 6,
  before: 0n,
  after: 0n,
}));

const withoutShares = (rows: readonly Activity[]) =>
  rows.map((row) => ({ ...row, legs: row.legs.map((leg) => ({ ...leg, shares: null })) }));

const PLAIN_KINDS = new Set(['deposit', 'withdraw', 'borrow', 'repay', 'loop', 'close_position']);

describe('decodeActivity of any transaction', () => {
  it('tells the same from instructions as from events, but for shares', () => {
    fc.assert(
      fc.property(transaction, (made) => {
        const told = decode(madeTrace(made, { tokenBalances }));
        const untold = decode(madeTrace(made, { tokenBalances, logs: null }));
        expect(untold.activities).toEqual(withoutShares(told.activities));
        expect([told.unknown, untold.unknown]).toEqual([0, 0]);
        expect(told.activities.every(({ kind }) => PLAIN_KINDS.has(kind))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('tells the same wherever logs are cut, but for the shares after it', () => {
    fc.assert(
      fc.property(transaction, fc.nat(), (made, at) => {
        const whole = madeTrace(made, { tokenBalances });
        const logs = whole.logs ?? [];
        const cut = [...logs.slice(0, at % (logs.length + 1)), 'Log truncated'];
        const [told, half] = [decode(whole).activities, decode({ ...whole, logs: cut }).activities];
        expect(withoutShares(half)).toEqual(withoutShares(told));
        const legs = half.flatMap((row) => row.legs);
        const all = told.flatMap((row) => row.legs);
        for (const [index, { shares }] of legs.entries()) expect([null, all[index]?.shares]).toContain(shares);
      }),
      { numRuns: 300 },
    );
  });

  it('tells each thing once, under an id of its own, in order', () => {
    fc.assert(
      fc.property(transaction, (made) => {
        const { activities } = decode(madeTrace(made, { tokenBalances }));
        expect(new Set(activities.map(({ id }) => id)).size).toBe(activities.length);
        const legs = activities.flatMap((row) => row.legs.map(({ shares }) => shares));
        const events = madeTrace(made).logs?.filter((line) => line.startsWith('Program data: ')) ?? [];
        expect(legs.length).toBe(events.length);
      }),
    );
  });
});

const LAYOUTS = Object.values<unknown>(programs).filter(
  (value): value is InstructionLayout =>
    typeof value === 'object' && value !== null && 'discriminator' in value && !('codec' in value),
);
const address = fc.integer({ min: 0, max: 255 }).map(madeAddress);
const programId = fc.constantFrom<Address>(MARGINFI_PROGRAM, OTHER, TOKEN_PROGRAM, TOKEN_2022_PROGRAM, SYSTEM_PROGRAM);
/** Bytes that begin as an instruction or event of ours, and go on as they like. */
const bytes = fc
  .tuple(
    fc.constantFrom(...LAYOUTS.map(({ discriminator }) => discriminator), new Uint8Array()),
    fc.uint8Array({ maxLength: 300 }),
  )
  .map(([start, rest]) => Uint8Array.from([...start, ...rest]));
const instruction = fc.record({
  instructionIndex: fc.nat({ max: 5 }),
  innerIndex: fc.option(fc.nat({ max: 5 })),
  depth: fc.option(fc.nat({ max: 5 })),
  programId,
  accounts: fc.array(address, { maxLength: 30 }),
  data: bytes,
});
const logLine = fc.oneof(
  fc
    .tuple(programId, fc.oneof(fc.nat({ max: 5 }), fc.constantFrom('0', '99999999999999999999', '1e9')))
    .map(([id, depth]) => `Program ${id} invoke [${depth}]`),
  programId.map((id) => `Program ${id} success`),
  programId.map((id) => `Program ${id} failed: custom program error: 0x1`),
  bytes.map((data) => `Program data: ${Buffer.from(data).toString('base64')}`),
  fc.string().map((text) => `Program data: ${text}`),
  fc.string(),
  fc.constant('Log truncated'),
);

describe('decodeActivity of what nobody should send', () => {
  it('never throws, and names no program but its own', () => {
    fc.assert(
      fc.property(
        fc.array(instruction, { maxLength: 12 }),
        fc.option(fc.array(logLine, { maxLength: 30 })),
        (instructions, logs) => {
          const trace = madeTrace([], { instructions, logs, tokenBalances });
          const decoded = decode(trace);
          const isCalled = instructions.some((each) => each.programId === MARGINFI_PROGRAM);
          const isTold = logs?.some((line) => line.startsWith(`Program ${MARGINFI_PROGRAM} invoke`)) === true;
          if (!isCalled && !isTold) expect(decoded).toMatchObject({ activities: [], accounts: [], unknown: 0 });
          for (const { legs } of decoded.activities) {
            for (const { amountBase, shares } of legs) {
              expect((amountBase ?? 0n) >= 0n && (amountBase ?? 0n) < 2n ** 68n).toBe(true);
              expect((shares ?? 0n) >= 0n).toBe(true);
            }
          }
          accountsInLogs(logs ?? [], MARGINFI_PROGRAM);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

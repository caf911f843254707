import { SOLEND_PROGRAM, solendDeposit, solendObligationLayout } from '@lending/programs';
import { beforeEach, describe, expect, it } from 'vitest';
import { errorOf, expectDone } from '../testing/expect-outcome.ts';
import { openPosition } from '../testing/open-position.ts';
import { VenueLender, withAccount } from '../testing/venue-lender.ts';

const FLAGS = 1800;
const DEPOSITS_LENGTH = 202;
const BORROWS_LENGTH = 203;

const opened = await VenueLender.open('solend');
let lender: VenueLender;
beforeEach(() => {
  lender = opened.fork();
});

describe('solend_deposit', () => {
  it('wants the reserve refreshed in its slot', () => {
    expectDone(lender.send(lender.deposit(1_000_000n)));
    lender.chain.wait(1n);
    expect(errorOf(lender.send(lender.deposit(1_000_000n).slice(-1)))).toBe('SolendReserveStale');
    expect(errorOf(lender.send(lender.withdraw(1_000n).slice(-1)))).toBe('SolendReserveStale');
  });

  it('takes nothing for an account in receivership', () => {
    lender.setU64(lender.party.account, FLAGS, 16n);
    expect(errorOf(lender.send(lender.deposit(1_000_000n)))).toBe('AccountDisabled');
  });

  it('takes an obligation with one deposit and no debt, and no account of another program', () => {
    expectDone(lender.send(lender.deposit(1_000_000n)));
    const obligation = lender.integrationAccount(1);
    const lists = [lender.deposit(1_000n).slice(-1), lender.withdraw(1_000n).slice(-1)];
    const setByte = (at: number, value: number) =>
      lender.chain.edit(obligation, (data) => data.fill(value, at, at + 1));
    for (const [at, value, number] of [
      [DEPOSITS_LENGTH, 2, 6002],
      [BORROWS_LENGTH, 1, 6003],
      [0, 0, 6001],
    ] as const) {
      const before = lender.chain.data(obligation)[at] ?? 0;
      setByte(at, value);
      // Numbers of the crate that reads Solend, which the program's own share.
      for (const list of lists) expect(lender.send(list).error).toEqual({ InstructionError: [1, { Custom: number }] });
      setByte(at, before);
    }
    const list = withAccount(lender.deposit(1n), solendDeposit, 'solendProgram', lender.bank.mint);
    expect(errorOf(lender.send(list))).toBe(2012);
  });
});

describe('solend_init_obligation', () => {
  it('makes the obligation, and a first deposit that is nobody’s', async () => {
    const list = openPosition(lender, 1_000n);
    lender.chain.accounts.delete(lender.integrationAccount(1));
    expectDone(lender.send(list));
    const state = lender.chain.accounts.get(lender.integrationAccount(1));
    expect([state?.owner, state?.data.length]).toEqual([SOLEND_PROGRAM, 1300]);
    const { deposits, borrows } = solendObligationLayout.decode(state?.data ?? new Uint8Array());
    expect([deposits.length, deposits[0]?.depositReserve, borrows]).toEqual([1, lender.integrationAccount(0), []]);
    expect(await lender.tokens()).toBe(9_999_999_000n);
    expectDone(lender.send(lender.deposit(1_000_000n)));
  });

  it('fills an address up that somebody sent lamports to', () => {
    const list = openPosition(lender, 10n);
    const empty = { lamports: 5n, owner: lender.chain.accounts.get(lender.party.wallet)?.owner as never };
    lender.chain.accounts.set(lender.integrationAccount(1), { ...empty, data: new Uint8Array(), executable: false });
    expectDone(lender.send(list));
  });

  it('takes ten base units at least, and makes one once', () => {
    const list = openPosition(lender, 9n);
    // The System program's own: the account is in use.
    expect(errorOf(lender.send(openPosition(lender, 1_000n)))).toBe(0);
    lender.chain.accounts.delete(lender.integrationAccount(1));
    expect(errorOf(lender.send(list))).toBe('ObligationInitDepositInsufficient');
  });
});

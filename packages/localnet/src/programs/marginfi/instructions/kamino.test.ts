import {
  getAddressBytes,
  KLEND_PROGRAM,
  kaminoDeposit,
  kaminoWithdraw,
  klendObligationLayout,
} from '@lending/programs';
import type { Instruction } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ExecutionResult } from '#engine/engine.ts';
import { errorOf, expectDone } from '../testing/expect-outcome.ts';
import { openPosition, userMetadataOf } from '../testing/open-position.ts';
import { VenueLender, withAccount } from '../testing/venue-lender.ts';

/** klend's own number; P0 has another error of it. */
const RESERVE_STALE = { Custom: 6009 };
/** Of a reserve. */
const LAST_SLOT = 16;
const IS_STALE = 24;
const FIRST_DEPOSIT = 96;
const SECOND_AMOUNT = 96 + 136 + 32;

const opened = await VenueLender.open('kamino');
let lender: VenueLender;
beforeEach(() => {
  lender = opened.fork();
});

/** The last instruction alone, with these bytes behind its amount. */
function bare(instructions: readonly Instruction[], tail: readonly number[]): readonly Instruction[] {
  const last = instructions.at(-1);
  if (last === undefined) throw new TypeError('No instruction');
  return [{ ...last, data: Uint8Array.from([...(last.data ?? []).slice(0, 16), ...tail]) }];
}

/** What somebody else's deposit in the slot leaves: the obligation is of the slot, the reserve no longer. */
function refreshObligationOnly(): void {
  expectDone(lender.send(lender.deposit(1n).slice(0, -1)));
  lender.chain.edit(lender.integrationAccount(0), (data) => data.fill(1, IS_STALE, IS_STALE + 1));
}

const reasonOf = ({ error }: ExecutionResult) =>
  (error as { InstructionError?: [number, unknown] })?.InstructionError?.[1];

describe('kamino_deposit', () => {
  it('refreshes the reserve itself when it is asked to', () => {
    lender.chain.wait(1n);
    refreshObligationOnly();
    expect(reasonOf(lender.send(bare(lender.deposit(1_000_000n), [0])))).toEqual(RESERVE_STALE);
    expect(reasonOf(lender.send(bare(lender.deposit(1_000_000n), [1, 0])))).toEqual(RESERVE_STALE);
    expectDone(lender.send(bare(lender.deposit(1_000_000n), [1, 1])));
  });

  it('expects what the reserve would have given before that refresh', () => {
    lender.chain.wait(400n * 86_400n);
    refreshObligationOnly();
    lender.setU64(lender.integrationAccount(0), LAST_SLOT, lender.chain.context.slot - 50_000_000n);
    expect(errorOf(lender.send(bare(lender.deposit(5_000_000_000n), [1, 1])))).toBe('KaminoDepositFailed');
    expectDone(lender.send(lender.deposit(5_000_000_000n)));
  });

  it('does not read data that ends before the flag', () => {
    expect(errorOf(lender.send(bare(lender.deposit(1_000_000n), [])))).toBe(102);
  });

  it('takes an obligation with the bank’s reserve first, and nothing beside it', () => {
    const obligation = lender.integrationAccount(1);
    const deposit = lender.deposit(1_000_000n);
    expectDone(lender.send(deposit));
    const withdraw = lender.withdraw(1_000n);
    lender.setU64(obligation, SECOND_AMOUNT, 1n);
    expect(errorOf(lender.send(deposit))).toBe('InvalidObligationDepositCount');
    expect(errorOf(lender.send(withdraw))).toBe('InvalidObligationDepositCount');
    lender.chain.edit(obligation, (data) => data.set(getAddressBytes(lender.bank.mint), FIRST_DEPOSIT));
    // The two instructions look in another order.
    expect(errorOf(lender.send(deposit.slice(-1)))).toBe('ObligationDepositReserveMismatch');
    expect(errorOf(lender.send(withdraw.slice(-1)))).toBe('InvalidObligationDepositCount');
    lender.setU64(obligation, SECOND_AMOUNT, 0n);
    expect(errorOf(lender.send(withdraw.slice(-1)))).toBe('ObligationDepositReserveMismatch');
  });

  it('calls no other program than klend and its farms', () => {
    const { mint } = lender.bank;
    expect(errorOf(lender.send(withAccount(lender.deposit(1n), kaminoDeposit, 'kaminoProgram', mint)))).toBe(2012);
    expect(errorOf(lender.send(withAccount(lender.deposit(1n), kaminoDeposit, 'farmsProgram', mint)))).toBe(2012);
  });
});

describe('kamino_withdraw', () => {
  it('takes all and refreshes, each when its bit is set', () => {
    expectDone(lender.send(lender.deposit(1_000_000n)));
    lender.chain.wait(60n);
    refreshObligationOnly();
    const all = lender.withdraw('all');
    expect(reasonOf(lender.send(bare(all, [1, 1])))).toEqual(RESERVE_STALE);
    expectDone(lender.send(bare(all, [1, 3])));
    expect(lender.receipts()).toBe(0n);
  });

  it('leaves the tokens to whoever the caller names', async () => {
    expectDone(lender.send(lender.deposit(1_000_000n)));
    const friend = await lender.chain.addParty({ USDC: 0n });
    const list = lender.withdraw(500_000n, { wallet: friend.wallet, account: lender.party.account });
    const toFriend = withAccount(list, kaminoWithdraw, 'authority', lender.party.wallet);
    expectDone(lender.send(toFriend));
    expect(await lender.chain.tokens(friend.wallet, 'USDC')).toBeGreaterThan(500_000n);
  });
});

describe('kamino_init_obligation', () => {
  const close = () => {
    lender.chain.accounts.delete(lender.integrationAccount(1));
    lender.chain.accounts.delete(userMetadataOf(lender));
  };

  it('makes the obligation, and a first deposit that is nobody’s', async () => {
    const list = openPosition(lender, 1_000n);
    close();
    expectDone(lender.send(list));
    const state = lender.chain.accounts.get(lender.integrationAccount(1));
    expect(state?.owner).toBe(KLEND_PROGRAM);
    const { deposits, tag } = klendObligationLayout.decode(state?.data ?? new Uint8Array());
    expect([deposits[0]?.depositReserve, tag]).toEqual([lender.integrationAccount(0), 0n]);
    expect(lender.position()).toBeGreaterThan(700n);
    expect(await lender.tokens()).toBe(9_999_999_000n);
    expectDone(lender.send(lender.deposit(1_000_000n)));
  });

  it('takes ten base units at least, and makes one once', () => {
    const list = openPosition(lender, 9n);
    expect(errorOf(lender.send(openPosition(lender, 1_000n)))).toBe(3011);
    close();
    expect(errorOf(lender.send(list))).toBe('ObligationInitDepositInsufficient');
  });
});

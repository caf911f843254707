import { juplendDeposit, juplendWithdraw } from '@lending/programs';
import { beforeEach, describe, expect, it } from 'vitest';
import { errorOf, expectDone } from '../testing/expect-outcome.ts';
import { openPosition } from '../testing/open-position.ts';
import { VenueLender, withAccount } from '../testing/venue-lender.ts';

const STATE = 608;
const OPERATIONAL = 1;
const UNINITIALIZED = 4;

const opened = await VenueLender.open('juplend');
let lender: VenueLender;
beforeEach(() => {
  lender = opened.fork();
});

describe('juplend_deposit', () => {
  it('brings the rate up to now itself', () => {
    lender.chain.wait(3_600n);
    const [only, ...others] = lender.deposit(1_000_000_000n);
    expect([only?.accounts?.length, others]).toEqual([juplendDeposit.accounts.length, []]);
    expectDone(lender.send(lender.deposit(1_000_000_000n)));
    expect(lender.receipts()).toBeLessThan(1_000_000_000n);
  });

  it('names what the pool names', () => {
    expectDone(lender.send(lender.deposit(1_000_000n)));
    const { mint, liquidityVault } = lender.bank;
    for (const [layout, list] of [
      [juplendDeposit, lender.deposit(1_000n)],
      [juplendWithdraw, lender.withdraw(1_000n)],
    ] as const) {
      const error = (name: string, address: typeof mint) =>
        errorOf(lender.send(withAccount(list, layout, name, address)));
      expect(error('fTokenMint', lender.chain.bank('SOL').mint)).toBe('InvalidJuplendLending');
      expect(error('supplyTokenReservesLiquidity', liquidityVault)).toBe('InvalidJuplendLending');
      expect(error('lendingSupplyPositionOnLiquidity', liquidityVault)).toBe('InvalidJuplendLending');
      expect(error('rewardsRateModel', mint)).toBe('InvalidJuplendLending');
      expect(error('liquidityProgram', mint)).toBe(2012);
      expect(error('juplendProgram', mint)).toBe(2012);
    }
  });
});

describe('juplend_withdraw', () => {
  it('pays out through the bank’s own account of the token', async () => {
    expectDone(lender.send(lender.deposit(1_000_000_000n)));
    const list = lender.withdraw(1_000n);
    expect(
      errorOf(lender.send(withAccount(list, juplendWithdraw, 'integrationAcc3', lender.bank.liquidityVault))),
    ).toBe('InvalidJuplendWithdrawIntermediaryAta');
    expectDone(lender.send(list));
    expect(await lender.tokens()).toBe(9_000_001_000n);
  });

  it('burns a receipt more than a rounded price asks for, never one less', () => {
    expectDone(lender.send(lender.deposit(1_000_000_000n)));
    const before = lender.receipts();
    expectDone(lender.send(lender.withdraw(1_000_001n)));
    const price = new DataView(lender.chain.data(lender.integrationAccount(0)).buffer).getBigUint64(115, true);
    expect(before - lender.receipts()).toBe((1_000_001n * 10n ** 12n + price - 1n) / price);
  });
});

describe('juplend_init_position', () => {
  const setState = (value: number) =>
    lender.chain.edit(lender.bank.address, (data) => data.fill(value, STATE, STATE + 1));

  it('opens the bank with a deposit that is nobody’s', async () => {
    setState(UNINITIALIZED);
    const before = lender.position();
    expect(errorOf(lender.send(lender.deposit(1_000_000n)))).toBe('BankUninitialized');
    expectDone(lender.send(openPosition(lender, 1_000n)));
    expect(lender.chain.data(lender.bank.address)[STATE]).toBe(OPERATIONAL);
    expect(lender.position()).toBeGreaterThan(before);
    expect(await lender.tokens()).toBe(9_999_999_000n);
    expectDone(lender.send(lender.deposit(1_000_000n)));
  });

  it('takes ten base units at least, and opens a bank once', () => {
    expect(errorOf(lender.send(openPosition(lender, 1_000n)))).toBe('JuplendBankAlreadyActivated');
    setState(UNINITIALIZED);
    expect(errorOf(lender.send(openPosition(lender, 9n)))).toBe('JuplendInitPositionDepositInsufficient');
  });
});

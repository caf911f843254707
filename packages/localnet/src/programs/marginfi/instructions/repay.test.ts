import { lendingAccountRepayEvent } from '@lending/programs';
import type { Address } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import * as act from '#market/lending-instructions.ts';
import { forkBorrower, openBorrower } from '../testing/borrower.ts';
import { errorOf, eventsOf, expectDone } from '../testing/expect-outcome.ts';
import type { MarketChain, Party } from '../testing/market-chain.ts';

const opened = await openBorrower();
let chain: MarketChain;
let party: Party;
beforeEach(() => {
  ({ chain, party } = forkBorrower(opened));
});

const SOL = 1_000_000_000n;
const sol = () => chain.bank('SOL');
const repay = (amount: act.Amount, name = 'SOL') =>
  chain.send(party.wallet, act.repay(party, chain.bank(name), amount));
const debt = () => {
  const balance = chain
    .marginfiAccount(party.account)
    .lendingAccount.balances.find(({ bankPk }) => bankPk === sol().address);
  return ((balance?.liabilityShares ?? 0n) * sol().shares.liabilityShareValue) >> 48n;
};
const setU64 = (address: Address, offset: number, value: bigint) =>
  chain.edit(address, (data) => new DataView(data.buffer).setBigUint64(offset, value, true));

describe('lending_account_repay', () => {
  it('lowers the debt and needs no prices', async () => {
    chain.wait(1_000n, { publishes: false });
    const before = await chain.tokens(party.wallet, 'SOL');
    const result = expectDone(repay(4n * SOL));
    expect(before - (await chain.tokens(party.wallet, 'SOL'))).toBe(4n * SOL);
    expect(debt() >> 48n).toBeLessThan(6n * SOL + SOL / 1_000n);
    expect(eventsOf(result, lendingAccountRepayEvent)).toMatchObject([
      { bank: sol().address, amount: 4n * SOL, closeBalance: false },
    ]);
  });

  it('charges whole units of everything, the excess to insurance, and frees the slot', async () => {
    chain.wait(3_600n);
    expectDone(repay(1n));
    const owed = debt();
    const before = await chain.tokens(party.wallet, 'SOL');
    const [event] = eventsOf(expectDone(repay('all')), lendingAccountRepayEvent);
    const charged = (owed + (1n << 48n) - 1n) >> 48n;
    expect(event).toMatchObject({ amount: charged, closeBalance: true });
    expect(before - (await chain.tokens(party.wallet, 'SOL'))).toBe(charged);
    const { lendingAccount, indexerFlags } = chain.marginfiAccount(party.account);
    expect(lendingAccount.balances.filter(({ active }) => active !== 0)).toHaveLength(1);
    expect(indexerFlags).toMatchObject({ isLendingOnly: 1, isSingleBorrower: 0 });
  });

  it('refuses more than is owed, what is not owed, and what is not held', () => {
    expect(errorOf(repay(11n * SOL))).toBe('OperationRepayOnly');
    expect(errorOf(repay(1n, 'USDC'))).toBe('OperationRepayOnly');
    expect(errorOf(repay('all', 'USDC'))).toBe('NoLiabilityFound');
    expect(errorOf(repay(1n, 'USDT'))).toBe('BankAccountNotFound');
  });

  it('is let into a bank that only reduces', () => {
    setState(5);
    expectDone(repay(1n));
    setState(0);
    expect(errorOf(repay(1n))).toBe('BankPaused');
  });

  it.each<[string, bigint, unknown]>([
    ['a disabled account', 1n, 'AccountDisabled'],
    ['a frozen account', 64n, 'AccountFrozen'],
    ['its own account in receivership', 16n, 'Unauthorized'],
  ])('refuses %s', (_, flags, error) => {
    setU64(party.account, 1_800, flags);
    expect(errorOf(repay(1n))).toBe(error);
  });

  it('lets the risk administrator write a debt off in a bank that is wound up, and notes that all are gone', async () => {
    setU64(sol().address, 840, 32n);
    chain.edit('4qp6Fx6tnZkY5Wropq9wUYgtFxXKwE6viZxFHg3rdAG8' as Address, (data) => {
      data.set(chain.data(party.account).subarray(40, 72), 296);
    });
    const debts = chain
      .marginfiAccount(party.account)
      .lendingAccount.balances.find(({ liabilityShares }) => liabilityShares > 0n);
    chain.edit(sol().address, (data) => {
      const view = new DataView(data.buffer);
      view.setBigUint64(256, BigInt.asUintN(64, debts?.liabilityShares ?? 0n), true);
      view.setBigInt64(264, (debts?.liabilityShares ?? 0n) >> 64n, true);
    });
    const before = await chain.tokens(party.wallet, 'SOL');
    expectDone(repay('all'));
    expect(await chain.tokens(party.wallet, 'SOL')).toBe(before);
    expect(sol().flags).toBe(32n | 64n);
  });
});

describe('lending_account_close_balance', () => {
  const close = (name: string) => chain.send(party.wallet, act.closeBalance(party, chain.bank(name)));

  it('frees a slot that holds less than a ten-thousandth of a unit', () => {
    const usdt = chain.bank('USDT');
    expectDone(chain.send(party.wallet, act.deposit(party, usdt, 1_000_000n)));
    const held = close('USDT');
    expect(errorOf(held)).toBe('IllegalBalanceState');
    expect(held.logs.join()).toContain('state/marginfi_account.rs:1753');
    const list = chain.healthAccounts(party.account);
    expectDone(chain.send(party.wallet, act.withdraw(party, usdt, 1_000_000n, list)));
    expectDone(close('USDT'));
    const banks = chain.marginfiAccount(party.account).lendingAccount.balances.map(({ bankPk }) => bankPk);
    expect(banks).not.toContain(usdt.address);
  });

  it('refuses a debt, a bank that is not held and a disabled account', () => {
    const owed = close('SOL');
    expect(errorOf(owed)).toBe('IllegalBalanceState');
    expect(owed.logs.join()).toContain('state/marginfi_account.rs:1747');
    expect(errorOf(close('JUP'))).toBe('BankAccountNotFound');
    setU64(party.account, 1_800, 1n);
    expect(errorOf(close('SOL'))).toBe('AccountDisabled');
  });
});

function setState(state: number): void {
  chain.edit(sol().address, (data) => {
    data[608] = state;
  });
}

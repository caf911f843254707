import { deleverageWithdrawFlowEvent, lendingAccountWithdrawEvent, MARGINFI_MAIN_GROUP } from '@lending/programs';
import type { Address } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import * as act from '#market/lending-instructions.ts';
import { forkBorrower, openBorrower } from '../testing/borrower.ts';
import { errorOf, eventsOf, expectDone } from '../testing/expect-outcome.ts';
import type { MarketChain, Party } from '../testing/market-chain.ts';

const opened = await openBorrower();
const holder = await opened.chain.addParty({ USDC: 0n });
let chain: MarketChain;
let party: Party;
beforeEach(() => {
  ({ chain, party } = forkBorrower(opened));
});

const usdc = () => chain.bank('USDC');
const list = (without: readonly Address[] = []) => chain.healthAccounts(party.account, { without });
const withdraw = (amount: bigint, name = 'USDC') =>
  chain.send(party.wallet, act.withdraw(party, chain.bank(name), amount, list()));
const withdrawAll = (name = 'USDC') =>
  chain.send(party.wallet, act.withdraw(party, chain.bank(name), 'all', list([chain.bank(name).address])));
const setU64 = (address: Address, offset: number, value: bigint) =>
  chain.edit(address, (data) => new DataView(data.buffer).setBigUint64(offset, value, true));
const insuranceFees = () => new DataView(chain.data(usdc().address).buffer).getBigUint64(184, true);

describe('lending_account_withdraw', () => {
  it('pays out a part, checks health and tells the shares', async () => {
    const before = await chain.tokens(party.wallet, 'USDC');
    const result = expectDone(withdraw(1_000_000n));
    expect((await chain.tokens(party.wallet, 'USDC')) - before).toBe(1_000_000n);
    const [event] = eventsOf(result, lendingAccountWithdrawEvent);
    expect(event).toMatchObject({ bank: usdc().address, amount: 1_000_000n, closeBalance: false });
    expect(event?.shareAmount).toBe((1_000_000n << 96n) / usdc().shares.assetShareValue);
    expect(chain.marginfiAccount(party.account).healthCache).toMatchObject({ flags: 3, programVersion: 3 });
  });

  it('pays out whole units of everything, keeps the fraction as insurance and frees the slot', () => {
    expectDone(chain.send(party.wallet, act.repay(party, chain.bank('SOL'), 'all')));
    const [balance] = chain.marginfiAccount(party.account).lendingAccount.balances;
    const held = ((balance?.assetShares ?? 0n) * usdc().shares.assetShareValue) >> 48n;
    const before = insuranceFees();
    const [event] = eventsOf(expectDone(withdrawAll()), lendingAccountWithdrawEvent);
    expect(event).toMatchObject({ amount: held >> 48n, closeBalance: true, shareAmount: balance?.assetShares });
    expect(insuranceFees() - before).toBe(held & ((1n << 48n) - 1n));
    const { lendingAccount, indexerFlags } = chain.marginfiAccount(party.account);
    expect(lendingAccount.balances.every(({ active }) => active === 0)).toBe(true);
    expect(indexerFlags).toMatchObject({ isEmpty: 1, isLendingOnly: 0 });
  });

  it('refuses what would leave the account below its initial requirement', () => {
    expect(errorOf(withdraw(7_500_000_000n))).toBe('RiskEngineInitRejected');
    expect(errorOf(withdrawAll())).toBe('RiskEngineInitRejected');
  });

  it('refuses more than is held, from a debt and from a bank that is not held', () => {
    expect(errorOf(withdraw(8_000_000_001n))).toBe('OperationWithdrawOnly');
    expect(errorOf(withdraw(1n, 'SOL'))).toBe('OperationWithdrawOnly');
    expect(errorOf(withdraw(1n, 'USDT'))).toBe('BankAccountNotFound');
    expect(errorOf(withdrawAll('SOL'))).toBe('NoAssetFound');
  });

  it('is let out of a bank that only reduces, and not out of a paused one', () => {
    setState(2);
    expect(errorOf(withdraw(1_000_000n))).toBe('RiskEngineInitRejected');
    expectDone(chain.send(party.wallet, act.repay(party, chain.bank('SOL'), 'all')));
    expectDone(withdraw(1_000_000n));
    setState(0);
    expect(errorOf(withdraw(1n))).toBe('BankPaused');
    setState(3);
    expect(errorOf(withdraw(1n))).toBe('BankKilledByBankruptcy');
  });

  it('needs the price of its own bank once the group is limited, even of a balance that goes', () => {
    expectDone(chain.send(party.wallet, act.repay(party, chain.bank('SOL'), 'all')));
    setU64(MARGINFI_MAIN_GROUP, 376, 5_000n);
    setU64(MARGINFI_MAIN_GROUP, 384, 3_600n);
    setU64(MARGINFI_MAIN_GROUP, 392, chain.context.unixTimestamp);
    expect(errorOf(withdrawAll())).toBe('BankAccountNotFound');
    const tooMuch = act.withdraw(party, usdc(), 'all', list());
    expect(errorOf(chain.send(party.wallet, tooMuch))).toBe('GroupHourlyRateLimitExceeded');
    expectDone(withdraw(1_000_000n));
  });

  it('refuses one account for both ends of the transfer', () => {
    const instruction = act.withdraw(party, usdc(), 1n, list());
    const accounts = instruction.accounts?.map((meta, index) =>
      index === 4 ? { ...meta, address: usdc().liquidityVault } : meta,
    );
    expect(errorOf(chain.send(party.wallet, { ...instruction, accounts: accounts ?? [] }))).toBe(2040);
  });

  it('refuses another authority of the vault', () => {
    const instruction = act.withdraw(party, usdc(), 1n, list());
    const accounts = instruction.accounts?.map((meta, index) =>
      index === 5 ? { ...meta, address: party.wallet } : meta,
    );
    expect(errorOf(chain.send(party.wallet, { ...instruction, accounts: accounts ?? [] }))).toBe(2006);
  });

  it.each<[string, bigint, unknown]>([
    ['a disabled account', 1n, 'AccountDisabled'],
    ['a frozen account', 64n, 'AccountFrozen'],
    ['its own account in receivership', 16n, 'Unauthorized'],
  ])('refuses %s', (_, flags, error) => {
    setU64(party.account, 1_800, flags);
    expect(errorOf(withdraw(1n))).toBe(error);
  });

  it('tells of what a deleverage takes, and stops at the limit of the day', () => {
    const limit = (usd: number, withdrawnToday: number, since: bigint) =>
      chain.edit(MARGINFI_MAIN_GROUP, (data) => {
        const view = new DataView(data.buffer);
        view.setUint32(280, usd, true);
        view.setUint32(284, withdrawnToday, true);
        view.setBigInt64(288, chain.context.unixTimestamp - since, true);
      });
    const take = (amount: bigint) =>
      chain.send(holder.wallet, act.withdraw({ ...holder, account: party.account }, usdc(), amount, list()));
    setU64(party.account, 1_800, 16n | 32n);
    limit(1_000, 0, 0n);
    const [event] = eventsOf(expectDone(take(900_000_000n)), deleverageWithdrawFlowEvent);
    expect(event).toMatchObject({ bank: usdc().address, currentTimestamp: chain.context.unixTimestamp });
    expect(event?.outflowUsd).toBe(898);
    limit(1_000, 102, 86_399n);
    expect(errorOf(take(902_000_000n))).toBe('DailyWithdrawalLimitExceeded');
    limit(1_000, 102, 86_400n);
    expectDone(take(902_000_000n));
  });

  it('names the line that refuses a bank killed by bankruptcy', () => {
    setState(3);
    expect(withdraw(1n).logs.join()).toContain('utils/general.rs:268. Error Code: BankKilledByBankruptcy');
  });
});

function setState(state: number): void {
  chain.edit(usdc().address, (data) => {
    data[608] = state;
  });
}

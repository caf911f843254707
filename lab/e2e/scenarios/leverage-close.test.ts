import { describe, expect, it } from 'vitest';
import { asset, debt, type WantedBalance } from '../src/builders/accounts.ts';
import { askClose } from '../src/builders/ask.ts';
import { refuse } from '../src/builders/attempt.ts';
import { land } from '../src/builders/justify.ts';
import { readAccount } from '../src/builders/ledger-tables.ts';
import { findBank, findPair, PAIRS } from '../src/builders/pairs.ts';
import { debtOf } from '../src/builders/promise.ts';
import { SOL, useScene } from '../src/builders/scene.ts';

const scene = useScene('leverage closes', land);

describe('[leverage-close] closes', () => {
  it.each(PAIRS)(
    '$name: opens, repays a part to the unit, then all, and nothing is left but what is named',
    async (named) => {
      const pair = findPair(scene.world, named);
      const wallet = await scene.walletWith(20n * SOL, [pair.deposit, 800]);
      const { build } = await scene.loop(wallet, pair, scene.worth(pair.deposit, 400), '2');
      const account = () => readAccount(scene.ledger, build.account);
      scene.world.pass(60);
      const part = scene.worth(pair.borrow, 100);
      const partly = await scene.close(wallet, pair, part);
      expect(partly.moved.lent, 'repaid').toBe(-part);
      expect(debtOf(account(), pair)).toBeGreaterThan(0n);
      scene.world.pass(600);
      await scene.close(wallet, pair, 'all');
      expect(account()?.balances.map(({ bank }) => bank)).toEqual([pair.deposit.address]);
      await scene.act(wallet, 'withdraw', pair.deposit, 'all');
      expect(account()?.balances).toEqual([]);
    },
  );

  it('finds both banks where the account holds one of each side', async () => {
    const { wallet, pair, all } = await position([1_000, 300]);
    const request = { ...all, depositBank: null, borrowBank: null };
    const { build } = await scene.attempt({ wallet, pair, request });
    expect(build.position).toMatchObject({ depositBank: pair.deposit.address, borrowBank: pair.borrow.address });
  });

  it('wants to know which, where an account has several of a side', async () => {
    const staked = findBank(scene.world, 'JitoSOL');
    const { wallet, pair, all } = await position([1_000, 300], [asset(staked, 500)]);
    const refused = await refuse(scene.world, { wallet, pair, request: { ...all, depositBank: null } });
    expect(refused.code).toBe('INVALID_ARGUMENT');
    const named = JSON.stringify(refused.details);
    for (const { address } of [pair.deposit, staked]) expect(named).toContain(address);
  });

  it('leaves other collateral and other debts as they are', async () => {
    const others = [asset(findBank(scene.world, 'JitoSOL'), 500), debt(findBank(scene.world, 'USDT'), 50)];
    const { wallet, pair, account } = await position([1_000, 300], others);
    const isOther = ({ bank }: { readonly bank: string }) =>
      bank !== pair.deposit.address && bank !== pair.borrow.address;
    const otherBalances = () =>
      (readAccount(scene.ledger, account)?.balances ?? [])
        .filter(isOther)
        .map(({ bank, assetShares, liabilityShares }) => [bank, assetShares, liabilityShares]);
    const before = otherBalances();
    await scene.close(wallet, pair, 'all');
    expect(otherBalances()).toEqual(before);
    expect(before).toHaveLength(2);
  });

  it('deposits what is sure of the surplus in the borrow bank', async () => {
    const { wallet, pair, account } = await position([1_000, 300]);
    const { build } = await scene.close(wallet, pair, 'all', { surplus: 'redeposit' });
    expect(debtOf(readAccount(scene.ledger, account), pair)).toBe(0n);
    expect(build.swap?.quote.minOutBase).toBeGreaterThan(0n);
  });

  it('repays no more than is owed, and says how much that is', async () => {
    const { wallet, pair } = await position([1_000, 300]);
    const request = askClose(wallet.address, pair, scene.worth(pair.borrow, 400));
    const refused = await refuse(scene.world, { wallet, pair, request });
    expect(refused).toMatchObject({ code: 'REPAY_LIMIT_EXCEEDED', details: { owed: expect.anything() } });
  });

  it('repays 250,000 USD in one call and not a unit more', async () => {
    const { wallet, pair, all } = await position([1_000_000, 400_000]);
    const refused = await refuse(scene.world, { wallet, pair, request: all });
    expect(refused).toMatchObject({ code: 'REPAY_LIMIT_EXCEEDED', details: { cap_usd: 250_000 } });
    const most = BigInt(String(refused.details.max_repay_raw));
    const isOnSameState = true;
    const over = { wallet, pair, request: askClose(wallet.address, pair, most + 1n), isOnSameState };
    expect(await refuse(scene.world, over)).toMatchObject({ code: 'REPAY_LIMIT_EXCEEDED' });
    const { moved } = await scene.close(wallet, pair, most, {}, { isOnSameState });
    expect(moved.lent).toBe(-most);
  });

  it('says how much can be repaid where the collateral does not cover it', async () => {
    const { wallet, pair, all } = await position([200, 300], [asset(findBank(scene.world, 'JitoSOL'), 5_000)]);
    const refused = await refuse(scene.world, { wallet, pair, request: all });
    expect(refused).toMatchObject({ code: 'INSUFFICIENT_COLLATERAL' });
    const most = BigInt(String(refused.details.max_repay_raw));
    expect(most).toBeGreaterThan(scene.worth(pair.borrow, 190));
    await scene.close(wallet, pair, most, {}, { isOnSameState: true });
  });

  it('refuses a close where nothing is owed', async () => {
    const { wallet, pair, all } = await position([1_000, 0]);
    const refused = await refuse(scene.world, { wallet, pair, request: all });
    expect(['REPAY_LIMIT_EXCEEDED', 'INVALID_ARGUMENT']).toContain(refused.code);
  });
});

/** An account with so many dollars of SOL and of debt in dollars, what else it holds, and a close of all of it. */
async function position([assetUsd, debtUsd]: readonly [number, number], others: readonly WantedBalance[] = []) {
  const pair = findPair(scene.world, 'SOL on dollars');
  const wallet = await scene.walletWith(5n * SOL);
  const owed = debtUsd === 0 ? [] : [debt(pair.borrow, debtUsd)];
  const account = await scene.account(wallet, [asset(pair.deposit, assetUsd), ...owed, ...others]);
  return { wallet, pair, account, all: askClose(wallet.address, pair, 'all') };
}

import type { P0Bank } from '@lending/venues';
import type { KeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askAt } from '../src/builders/ask.ts';
import { makeAttempt } from '../src/builders/attempt.ts';
import { createDice } from '../src/builders/dice.ts';
import { fund, makeAccount, type WantedBalance } from '../src/builders/made-wallet.ts';
import { readAccount } from '../src/builders/promise.ts';
import { baseWorth } from '../src/builders/worth.ts';
import { askClose, askLoop } from '../src/leverage/ask-leverage.ts';
import { type LeverageAttempt, landLeverage, refuseLeverage } from '../src/leverage/attempt-leverage.ts';
import { debtOf } from '../src/leverage/leverage-promise.ts';
import { type LeverageWorld, openLeverageWorld } from '../src/leverage/leverage-world.ts';
import { findPair, type NamedPair, PAIRS, type Pair } from '../src/leverage/pairs.ts';

const SOL = 1_000_000_000n;

const dice = createDice('leverage closes');
let world: LeverageWorld;

describe('[leverage-close] closes', () => {
  beforeAll(async () => {
    world = await openLeverageWorld();
  });

  afterAll(async () => {
    await world?.stop();
  });

  it.each(PAIRS)(
    '$name: opens, repays a part to the unit, then all, and nothing is left but what is told',
    async (named) => {
      const pair = findPair(world, named);
      const wallet = await dice.wallet();
      const principal = baseWorth(world.ledger, pair.deposit, 400);
      await fund(world.ledger, wallet, 20n * SOL, [[pair.deposit, principal * 2n]]);
      const opened = await landLeverage(
        world,
        tryIt('open', wallet, pair, askLoop(wallet.address, pair, principal, '2')),
      );
      const { account } = opened.build;
      world.pass(60);
      const part = baseWorth(world.ledger, pair.borrow, 100);
      const partly = await landLeverage(world, tryIt('part', wallet, pair, askClose(wallet.address, pair, part)));
      expect(partly.moved.lent, 'repaid').toBe(-part);
      expect(debtOf(readAccount(world.ledger, account), pair)).toBeGreaterThan(0n);
      world.pass(600);
      await landLeverage(world, tryIt('all', wallet, pair, askClose(wallet.address, pair, 'all')));
      const left = readAccount(world.ledger, account);
      expect(left?.balances.map(({ bank }) => bank)).toEqual([pair.deposit.address]);
      const request = askAt('withdraw', wallet.address, pair.deposit, 'all');
      await makeAttempt(world, { aim: 'withdraw the rest', wallet, bank: pair.deposit, request });
      expect(readAccount(world.ledger, account)?.balances).toEqual([]);
    },
  );

  it('finds both banks where the account holds one of each side', async () => {
    const { wallet, pair } = await position('SOL on dollars', [1_000, 300]);
    const request = { ...askClose(wallet.address, pair, 'all'), depositBank: null, borrowBank: null };
    const { build } = await landLeverage(world, tryIt('both left out', wallet, pair, request));
    expect(build.position).toMatchObject({ depositBank: pair.deposit.address, borrowBank: pair.borrow.address });
  });

  it('asks which, where an account has several of a side', async () => {
    const other = findPair(world, named('dollars on SOL'));
    const { wallet, pair } = await position(
      'SOL on dollars',
      [1_000, 300],
      [{ bank: bankOf('a staked SOL on SOL'), side: 'asset', usd: 500 }],
    );
    const request = { ...askClose(wallet.address, pair, 'all'), depositBank: null };
    const refused = await refuseLeverage(world, tryIt('several', wallet, pair, request));
    expect(refused.code).toBe('INVALID_ARGUMENT');
    const told = JSON.stringify(refused.details);
    expect(told).toContain(pair.deposit.address);
    expect(told).toContain(bankOf('a staked SOL on SOL').address);
    expect(other.borrow.address).toBe(pair.deposit.address);
  });

  it('leaves other collateral and other debts as they are', async () => {
    const extra = { bank: bankOf('a staked SOL on SOL'), side: 'asset', usd: 500 } as const;
    const owed = { bank: findPair(world, named('the other way round')).deposit, side: 'liability', usd: 50 } as const;
    const { wallet, pair, account } = await position('SOL on dollars', [1_000, 300], [extra, owed]);
    const before = readAccount(world.ledger, account)?.balances ?? [];
    await landLeverage(world, tryIt('others', wallet, pair, askClose(wallet.address, pair, 'all')));
    const after = readAccount(world.ledger, account)?.balances ?? [];
    const others = (list: typeof before) =>
      list
        .filter(({ bank }) => bank !== pair.deposit.address && bank !== pair.borrow.address)
        .map(({ bank, assetShares, liabilityShares }) => [bank, assetShares, liabilityShares]);
    expect(others(after)).toEqual(others(before));
    expect(others(after)).toHaveLength(2);
  });

  it('deposits what is sure of the surplus in the borrow bank', async () => {
    const { wallet, pair, account } = await position('SOL on dollars', [1_000, 300]);
    const request = askClose(wallet.address, pair, 'all', { surplus: 'redeposit' });
    const { build } = await landLeverage(world, tryIt('redeposit', wallet, pair, request));
    const balance = readAccount(world.ledger, account)?.balances.find(({ bank }) => bank === pair.borrow.address);
    expect(balance?.liabilityShares ?? 0n).toBe(0n);
    expect(build.swap?.quote.minOutBase).toBeGreaterThan(0n);
  });

  it('repays no more than is owed, and says how much that is', async () => {
    const { wallet, pair } = await position('SOL on dollars', [1_000, 300]);
    const tooMuch = baseWorth(world.ledger, pair.borrow, 400);
    const refused = await refuseLeverage(
      world,
      tryIt('too much', wallet, pair, askClose(wallet.address, pair, tooMuch)),
    );
    expect(refused).toMatchObject({ code: 'REPAY_LIMIT_EXCEEDED' });
    expect(Object.keys(refused.details)).toContain('owed');
  });

  it('repays 250,000 USD in one call and not a unit more', async () => {
    const { wallet, pair } = await position('SOL on dollars', [1_000_000, 400_000]);
    const refused = await refuseLeverage(world, tryIt('cap', wallet, pair, askClose(wallet.address, pair, 'all')));
    expect(refused).toMatchObject({ code: 'REPAY_LIMIT_EXCEEDED', details: { cap_usd: 250_000 } });
    const most = BigInt(String(refused.details.max_repay_raw));
    const over = tryIt('above the cap', wallet, pair, askClose(wallet.address, pair, most + 1n));
    expect(await refuseLeverage(world, { ...over, isOnSameState: true })).toMatchObject({
      code: 'REPAY_LIMIT_EXCEEDED',
    });
    const within = tryIt('at the cap', wallet, pair, askClose(wallet.address, pair, most));
    const { moved } = await landLeverage(world, { ...within, isOnSameState: true });
    expect(moved.lent).toBe(-most);
  });

  it('says how much can be repaid where the collateral does not cover it', async () => {
    const extra = { bank: bankOf('a staked SOL on SOL'), side: 'asset', usd: 5_000 } as const;
    const { wallet, pair } = await position('SOL on dollars', [200, 300], [extra]);
    const refused = await refuseLeverage(world, tryIt('short', wallet, pair, askClose(wallet.address, pair, 'all')));
    expect(refused).toMatchObject({ code: 'INSUFFICIENT_COLLATERAL' });
    const most = BigInt(String(refused.details.max_repay_raw));
    expect(most).toBeGreaterThan(baseWorth(world.ledger, pair.borrow, 190));
    const within = tryIt('what is there', wallet, pair, askClose(wallet.address, pair, most));
    await landLeverage(world, { ...within, isOnSameState: true });
  });

  it('refuses a close where nothing is owed', async () => {
    const { wallet, pair } = await position('SOL on dollars', [1_000, 0]);
    const refused = await refuseLeverage(world, tryIt('no debt', wallet, pair, askClose(wallet.address, pair, 'all')));
    expect(['REPAY_LIMIT_EXCEEDED', 'INVALID_ARGUMENT']).toContain(refused.code);
  });
});

function tryIt(aim: string, wallet: KeyPairSigner, pair: Pair, request: LeverageAttempt['request']): LeverageAttempt {
  return { aim, wallet, pair, request };
}

function named(name: string): NamedPair {
  const found = PAIRS.find((each) => each.name === name);
  if (found === undefined) throw new TypeError(`There is no pair ${name}`);
  return found;
}

function bankOf(name: string): P0Bank {
  return findPair(world, named(name)).deposit;
}

/** An account with so many dollars of collateral and debt, and what else it holds. */
async function position(
  name: string,
  [asset, liability]: readonly [number, number],
  others: readonly WantedBalance[] = [],
) {
  const pair = findPair(world, named(name));
  const wallet = await dice.wallet();
  await fund(world.ledger, wallet, 5n * SOL);
  const debt = liability === 0 ? [] : [{ bank: pair.borrow, side: 'liability' as const, usd: liability }];
  const account = await makeAccount(world.ledger, wallet.address, [
    { bank: pair.deposit, side: 'asset', usd: asset },
    ...debt,
    ...others,
  ]);
  return { wallet, pair, account };
}

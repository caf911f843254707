import { BANK_FLAG } from '@lending/domain';
import { describe, expect, it } from 'vitest';
import type { ActionAmount, LendingActionKind } from '#action.ts';
import {
  bankAddress,
  charging,
  createMadeMarket,
  debt,
  deposit,
  feedAddress,
  type MadeMarket,
  mintAddress,
  NOW,
} from '#testing/made-market.ts';
import { readMade } from '#testing/read-made.ts';
import { type CrankOptions, feedsToCrank } from './feeds-to-crank.ts';

const ONE = 1_000_000n;
const DOLLAR = 100_000_000n;
const OLD = NOW - 1_000n;

/** Banks at a dollar whose Switchboard feeds are long out of date, and the last on Pyth. */
async function marketOf(switchboards: number): Promise<MadeMarket> {
  const market = createMadeMarket();
  for (let nth = 0; nth < switchboards; nth += 1) {
    market.setBank(nth, { config: { oracleSetup: 4 } });
    market.setSwitchboard(nth, DOLLAR, OLD);
  }
  market.setBank(switchboards);
  await market.setTokens(mintAddress(switchboards), 1_000n * ONE);
  return market;
}

async function feeds(
  market: MadeMarket,
  kind: LendingActionKind,
  nth: number,
  amount: ActionAmount,
  options: CrankOptions = {},
) {
  const state = await readMade(market, kind, nth);
  return feedsToCrank(state, { kind, bank: bankAddress(nth), amount }, options).map(({ address }) => address);
}

describe('feedsToCrank', () => {
  it('cranks nothing for deposits and repayments, nor where nothing is owed', async () => {
    const market = await marketOf(2);
    market.setAccount([deposit(0, 100n * ONE)]);
    expect(await feeds(market, 'deposit', 1, ONE)).toEqual([]);
    expect(await feeds(market, 'withdraw', 0, 10n * ONE)).toEqual([]);
    market.setAccount([deposit(0, 100n * ONE), debt(1, 10n * ONE)]);
    expect(await feeds(market, 'repay', 1, ONE)).toEqual([]);
  });

  it('cranks debts, and collateral only where the rest does not carry them', async () => {
    const market = await marketOf(2);
    market.setAccount([deposit(0, 100n * ONE), deposit(2, 100n * ONE)]);
    expect(await feeds(market, 'borrow', 1, 50n * ONE)).toEqual([feedAddress(1)]);
    expect(await feeds(market, 'borrow', 1, 70n * ONE)).toEqual([feedAddress(1), feedAddress(0)]);
  });

  it('cranks no feed that is an account of another kind', async () => {
    const market = await marketOf(2);
    market.setAccount([deposit(0, 100n * ONE), deposit(2, 100n * ONE)]);
    const feed = market.accounts.get(feedAddress(0)) ?? expect.fail('No feed');
    market.put(feedAddress(0), { ...feed, data: feed.data.with(0, 0) });
    expect(await feeds(market, 'borrow', 1, 50n * ONE)).toEqual([feedAddress(1)]);
  });

  it('cranks all that health is told by where somebody decides by it', async () => {
    const market = await marketOf(3);
    market.setAccount([deposit(0, 100n * ONE), deposit(3, 100n * ONE), debt(1, ONE)]);
    expect(await feeds(market, 'repay', 1, ONE / 2n)).toEqual([]);
    const all = await feeds(market, 'repay', 1, ONE / 2n, { forHealth: true });
    expect(all.toSorted()).toEqual([feedAddress(0), feedAddress(1)].toSorted());
  });

  it('cranks what a circuit breaker watches where something is owed, though it carries nothing', async () => {
    const market = await marketOf(2);
    const watched = { flags: BANK_FLAG.hasCircuitBreaker, config: { oracleSetup: 4, riskTier: 1 } };
    market.setBank(0, watched);
    market.setSwitchboard(0, DOLLAR, OLD);
    market.setAccount([deposit(0, ONE), deposit(2, 100n * ONE)]);
    expect(await feeds(market, 'borrow', 1, ONE)).toEqual([feedAddress(1), feedAddress(0)]);
    expect(await feeds(market, 'withdraw', 2, ONE)).toEqual([]);
    market.setBank(0, { ...watched, flags: 0n });
    market.setSwitchboard(0, DOLLAR, OLD);
    expect(await feeds(market, 'borrow', 1, ONE)).toEqual([feedAddress(1)]);
  });

  it('takes the fewest feeds of collateral, the most valuable first', async () => {
    const market = await marketOf(4);
    market.setAccount([deposit(0, 20n * ONE), deposit(1, 300n * ONE), deposit(2, 100n * ONE)]);
    expect(await feeds(market, 'borrow', 4, 100n * ONE)).toEqual([feedAddress(1)]);
    expect(await feeds(market, 'borrow', 4, 200n * ONE)).toEqual([feedAddress(1), feedAddress(2)]);
    expect(await feeds(market, 'borrow', 4, 251n * ONE)).toEqual([feedAddress(1), feedAddress(2), feedAddress(0)]);
  });

  it('leaves alone what stays fresh long enough, and cranks what is about to go out of date', async () => {
    const market = await marketOf(1);
    market.setBank(0, { config: { oracleSetup: 4, oracleMaxAge: 300 } });
    market.setAccount([deposit(1, 100n * ONE)]);
    market.setSwitchboard(0, DOLLAR, NOW - 200n);
    expect(await feeds(market, 'borrow', 0, ONE)).toEqual([]);
    market.setSwitchboard(0, DOLLAR, NOW - 250n);
    expect(await feeds(market, 'borrow', 0, ONE)).toEqual([feedAddress(0)]);
    market.setBank(0, { config: { oracleSetup: 4, oracleMaxAge: 30 } });
    market.setSwitchboard(0, DOLLAR, NOW - 10n);
    expect(await feeds(market, 'borrow', 0, ONE)).toEqual([]);
    market.setSwitchboard(0, DOLLAR, NOW - 20n);
    expect(await feeds(market, 'borrow', 0, ONE)).toEqual([feedAddress(0)]);
  });

  it('cranks what a limited outflow is priced by, though nothing is owed', async () => {
    const market = await marketOf(1);
    market.setAccount([deposit(0, 100n * ONE)]);
    const hourly = {
      maxOutflow: 1_000n,
      windowDuration: 3_600n,
      windowStart: NOW,
      prevWindowOutflow: 0n,
      curWindowOutflow: 0n,
    };
    market.setGroup((group) => ({ ...group, rateLimiter: { ...group.rateLimiter, hourly } }));
    expect(await feeds(market, 'withdraw', 0, ONE)).toEqual([feedAddress(0)]);
  });

  it('cranks what sets the premiums of debts, however little it carries, whatever is done', async () => {
    const market = await marketOf(2);
    market.setBank(2, charging);
    const of = (kind: LendingActionKind, nth: number, amount: ActionAmount = ONE) => feeds(market, kind, nth, amount);
    market.setAccount([deposit(0, ONE), deposit(1, 100n * ONE), debt(2, 2n * ONE)]);
    const both = [feedAddress(0), feedAddress(1)];
    expect(await of('borrow', 2)).toEqual(both);
    expect(await of('deposit', 1)).toEqual(both);
    expect(await of('repay', 2)).toEqual(both);
    expect(await of('withdraw', 1)).toEqual(both);
    expect(await of('withdraw', 0, 'all')).toEqual([feedAddress(1)]);
    expect(await of('repay', 2, 'all')).toEqual([]);
    const least = (kind: LendingActionKind, nth: number) => feeds(market, kind, nth, ONE, { forPremiums: false });
    expect(await least('deposit', 1)).toEqual([]);
    expect(await least('repay', 2)).toEqual([]);
    expect(await least('withdraw', 1)).toEqual([feedAddress(1)]);
    market.setBank(2);
    expect(await of('borrow', 2)).toEqual([feedAddress(1)]);
    expect(await of('repay', 2)).toEqual([]);
  });

  it('cranks the feeds of debts for a pulse, which fails on them', async () => {
    const market = await marketOf(1);
    market.setBank(0, { ...charging, config: { oracleSetup: 4 } });
    market.setSwitchboard(0, DOLLAR, OLD);
    market.setAccount([debt(0, ONE), deposit(1, 100n * ONE)]);
    expect(await feeds(market, 'deposit', 1, ONE)).toEqual([feedAddress(0)]);
  });
});

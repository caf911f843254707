import { BANK_FLAG } from '@lending/domain';
import { describe, expect, it } from 'vitest';
import { sizeBy } from '#sizing/size-by.ts';
import { costByOracles } from '#sizing/swap-cost.ts';
import {
  bankAddress,
  createMadeMarket,
  debt,
  deposit,
  feedAddress,
  type MadeMarket,
  madeAddress,
  mintAddress,
  NOW,
} from '#testing/made-market.ts';
import { closeOf, loopOf, readMadePair } from '#testing/made-pair.ts';
import { findSizedRefusal } from './find-leverage-refusal.ts';
import { feedsOfLeverage, feedsToCrankForLeverage, type LeverageCrankOptions } from './leverage-feeds.ts';

const ONE = 1_000_000n;
const OLD = NOW - 1_000n;
const off = { maxOutflow: 0n, windowDuration: 0n, windowStart: 0n, prevWindowOutflow: 0n, curWindowOutflow: 0n };

/** Banks at a dollar whose Switchboard feeds are long out of date, and one more on Pyth. */
function marketOf(switchboards: number): MadeMarket {
  const market = createMadeMarket();
  for (let nth = 0; nth < switchboards; nth += 1) {
    market.setBank(nth, { config: { oracleSetup: 4 } });
    market.setSwitchboard(nth, 100_000_000n, OLD);
  }
  market.setBank(switchboards);
  market.setAccount([]);
  return market;
}

async function looping(
  market: MadeMarket,
  nth: number,
  mth: number,
  hundredths: bigint,
  options: LeverageCrankOptions = {},
) {
  const state = await readMadePair(market, nth, mth);
  const found = feedsToCrankForLeverage(state, loopOf(state, 100n * ONE, hundredths), options);
  return found.map(({ address }) => address);
}

async function closing(
  market: MadeMarket,
  nth: number,
  mth: number,
  repay: bigint | 'all',
  options: LeverageCrankOptions = {},
) {
  const state = await readMadePair(market, nth, mth);
  return feedsToCrankForLeverage(state, closeOf(state, repay), options).map(({ address }) => address);
}

describe('feedsToCrankForLeverage', () => {
  it('cranks what a loop owes, and what carries it', async () => {
    expect(await looping(marketOf(2), 0, 1, 200n)).toEqual([feedAddress(1), feedAddress(0)]);
    expect(await looping(marketOf(1), 0, 1, 200n)).toEqual([feedAddress(0)]);
    expect(await looping(marketOf(1), 1, 0, 200n)).toEqual([feedAddress(0)]);
  });

  it('cranks what carries the loan that slippage may make of it', async () => {
    const market = marketOf(2);
    market.setAccount([deposit(2, 172n * ONE)]);
    expect(await looping(market, 0, 1, 200n)).toEqual([feedAddress(1)]);
    expect(await looping(market, 0, 1, 200n, { slippageBps: 500 })).toEqual([feedAddress(1), feedAddress(0)]);
  });

  it('cranks nothing for a close that leaves no debt, and what is owed besides', async () => {
    const market = marketOf(3);
    market.setAccount([deposit(0, 200n * ONE), debt(1, 100n * ONE)]);
    expect(await closing(market, 0, 1, 'all')).toEqual([]);
    expect(await closing(market, 0, 1, 10n * ONE)).toEqual([feedAddress(1), feedAddress(0)]);
    market.setAccount([deposit(0, 200n * ONE), deposit(3, 200n * ONE), debt(1, 100n * ONE), debt(2, ONE)]);
    expect(await closing(market, 0, 1, 'all')).toEqual([feedAddress(2)]);
  });

  it('cranks for a close what a circuit breaker watches, because its withdrawal still leaves the debt', async () => {
    const market = marketOf(2);
    market.setAccount([deposit(0, 300n * ONE), debt(1, 100n * ONE)]);
    expect(await closing(market, 0, 1, 'all')).toEqual([]);
    market.setBank(0, { flags: BANK_FLAG.hasCircuitBreaker, config: { oracleSetup: 4 } });
    market.setSwitchboard(0, 100_000_000n, OLD);
    expect(await closing(market, 0, 1, 'all')).toEqual([feedAddress(0)]);
  });

  it('cranks what a withdrawal is priced by where the group has windows, though a flash loan is let through them', async () => {
    const market = marketOf(2);
    market.setAccount([deposit(0, 200n * ONE), debt(1, 100n * ONE)]);
    const hourly = { ...off, maxOutflow: 1_000n, windowDuration: 3_600n, windowStart: NOW };
    market.setGroup((group) => ({ ...group, rateLimiter: { ...group.rateLimiter, hourly } }));
    expect(await closing(market, 0, 1, 'all')).toEqual([feedAddress(0)]);
  });

  it('cranks all there is where nothing can be told', async () => {
    const market = marketOf(1);
    market.put(feedAddress(1), { owner: madeAddress(9), data: new Uint8Array(3) });
    expect(await looping(market, 0, 1, 200n)).toEqual([feedAddress(0)]);
  });
});

describe('feedsOfLeverage', () => {
  it('lets a check take every price as it stands once cranks are done', async () => {
    const market = marketOf(1);
    await market.setTokens(mintAddress(0), 1_000n * ONE);
    const state = await readMadePair(market, 0, 1);
    expect(feedsOfLeverage(state)).toEqual(new Set([feedAddress(0)]));
    const sized = sizeBy(state, loopOf(state, 100n * ONE, 200n), costByOracles(state, 'loop'));
    expect(findSizedRefusal(state, sized)).toBeNull();
    const refusal = findSizedRefusal(state, sized, { uncranked: feedsOfLeverage(state) });
    expect(refusal).toMatchObject({
      code: 'ORACLE__PRICE_STALE',
      context: { stale_feeds: [{ bank: bankAddress(0) }] },
    });
  });
});

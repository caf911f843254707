import { parseFraction, toShownUsd } from '@lending/domain';
import { describe, expect, it } from 'vitest';
import { monthGrowthsOf } from './month-growths.ts';
import type { Strategy } from './strategy.ts';
import { type MadeBank, madeBank, madeLst, madeSol, NOW_MS, only, rankStrategies, usd } from './testing/made-banks.ts';

const supply = (made: MadeBank = {}) => madeBank({ address: 'Supply', mint: 'Coin', lendsOut: false, ...made });
const debt = (made: MadeBank = {}) => madeBank({ address: 'Debt', takesDeposits: false, ...made });
const daily = (prices: readonly number[]) =>
  monthGrowthsOf(prices.map((price, day) => ({ day, priceE18: parseFraction(price.toFixed(18)) })));
const names = (strategies: readonly Strategy[]) =>
  strategies.map((strategy) => `${strategy.supply.address}/${strategy.borrow.address}`);
const DARK = { interestDeposit: null, totalBorrow: null, native: null, emissionsDeposit: null };

describe('rank', () => {
  it('works out staked SOL of tier 1 against SOL', () => {
    const swap = {
      inMint: 'Sol',
      outMint: 'Staked',
      rungs: [{ sizeUsd: 10_000, costBps: 4 }],
      depthUsd: usd(750_000),
      quotedAtMs: NOW_MS - 60_000,
    };
    const lst = madeLst({ week: { native: 6.8 }, month: { native: null } });
    const strategy = only(rankStrategies([lst, madeSol()], [swap], NOW_MS).strategies);
    expect(strategy).toMatchObject({
      type: 'loop',
      kind: 'sol_lst',
      maxLeverageHundredths: 1091n,
      recommendedLeverageHundredths: 761n,
      emodeApplied: true,
      bindingConstraint: 'liquidity',
      swapCostBps: 4,
      swapSizeUsd: 10_000,
      swapQuotedAtMs: NOW_MS - 60_000,
    });
    expect(strategy.rates.netApyBasePct).toBeCloseTo(7.6, 12);
    expect(strategy.rates.netApyAtMaxLeveragePct).toBeCloseTo(10.91 * 7.6 - 9.91 * 5.5, 9);
    expect(strategy.recommended.netApyPct).toBeCloseTo(21.481, 9);
    expect(strategy.rates.netApy7dPct).toBeCloseTo(7.61 * 7.4 - 6.61 * 5.5, 9);
    expect(strategy.rates.netApy30dPct).toBeNull();
    // 700,000 ÷ 6.61, which is less than 750,000 ÷ 6.61 and 1,000,000 ÷ 7.61.
    expect(toShownUsd(strategy.sizeUsd)).toBeCloseTo(105_900.1513, 3);
    expect(strategy.recommended.entryBps).toBeCloseTo(26.44, 9);
    expect(strategy.recommended.breakEvenDays).toBeCloseTo((0.2644 / 21.481) * 365.25, 9);
    // 19.959 is the least known yield; a fall of 9.09 % against 5; 1 − 1.522 ÷ 21.481, and half for the month.
    expect(strategy.scoreParts.carry).toBeCloseTo(19.959 / 29.959, 9);
    const drop = 100 * (1 - 7.271 / 7.99811);
    const steadiness = (1 - 1.522 / 21.481 + 0.5) / 2;
    expect(strategy.scoreParts.stability).toBeCloseTo(0.7 * (drop / (drop + 5)) + 0.3 * steadiness, 9);
    expect(strategy.scoreParts.capacity).toBeCloseTo(0.2 + 0.8 * (Math.log10(1059.001513) / 5), 6);
    expect(strategy.scoreParts.liquidity).toBeCloseTo(0.5 * (4 / 5) + 0.5 * (50 / 76.44), 9);
    expect(strategy.scoreParts.penalty).toBeCloseTo(
      0.05 + (0.15 * (strategy.recommended.breakEvenDays ?? 0)) / 365.25,
      9,
    );
  });

  it('tells what it left out, and why, once', () => {
    const banks = [
      supply({ address: 'S', now: DARK }),
      supply({ address: 'T' }),
      debt({ address: 'D', now: { totalBorrow: null } }),
      debt({ address: 'E', now: { native: null } }),
      debt({ address: 'F' }),
      debt({ address: 'G', now: DARK }),
    ];
    const { strategies, leftOut } = rankStrategies(banks, [], NOW_MS);
    expect(names(strategies)).toEqual(['T/F']);
    expect(leftOut.map(({ bank, reason }) => [bank.address, reason])).toEqual([
      ['D', 'borrow_rate_unknown'],
      ['E', 'borrow_native_unknown'],
      ['G', 'borrow_rate_unknown'],
      ['G', 'borrow_native_unknown'],
      ['S', 'deposit_rate_unknown'],
    ]);
  });

  it('misses nothing of a bank that pairs with none', () => {
    const banks = [
      supply(),
      debt({ group: 'Other', now: DARK }),
      supply({ address: 'Z', takesDeposits: false, now: DARK }),
    ];
    expect(rankStrategies(banks, [], NOW_MS)).toEqual({ strategies: [], leftOut: [] });
    expect(rankStrategies([], [], NOW_MS)).toEqual({ strategies: [], leftOut: [] });
  });

  it('prefers what keeps to its yield, lies far from liquidation, takes more and lets out more', () => {
    const better: [MadeBank, MadeBank][] = [
      [{}, { week: { interestDeposit: 1 } }],
      [{}, { assetClass: 'other' }],
      [{}, { depositRoomUsd: usd(20_000) }],
      [{}, { liquidityUsd: usd(20_000) }],
      [{}, { now: { interestDeposit: 6.9 }, week: { interestDeposit: 6.9 }, month: { interestDeposit: 6.9 } }],
    ];
    const rates = { interestDeposit: 7 };
    for (const [one, other] of better) {
      const banks = [
        supply({ address: 'Z', now: rates, ...one }),
        supply({ address: 'A', now: rates, ...other }),
        debt(),
      ];
      expect(names(rankStrategies(banks, [], NOW_MS).strategies)).toEqual(['Z/Debt', 'A/Debt']);
    }
  });

  it('stands banks of which nothing is known but configuration', () => {
    const unknown: MadeBank = {
      symbol: null,
      now: { native: null, emissionsDeposit: null },
      week: DARK,
      month: DARK,
      depositRoomUsd: null,
      borrowRoomUsd: null,
      liquidityUsd: null,
    };
    const strategy = only(rankStrategies([supply(unknown), debt({ ...unknown, now: {} })], [], NOW_MS).strategies);
    expect(strategy.rates).toMatchObject({
      nativeApyPct: null,
      emissionsApyPct: null,
      netApy7dPct: null,
      netApy30dPct: null,
    });
    expect(strategy).toMatchObject({ sizeUsd: 0n, bindingConstraint: 'liquidity', swap: null });
    expect(Number.isFinite(strategy.score)).toBe(true);
  });

  it('has a dollar loop that hardly pays before a bet on a price that pays well', () => {
    const banks = [
      supply({ address: 'Dollars', mint: 'Other dollar', now: { interestDeposit: 4 } }),
      supply({ address: 'Coins', assetClass: 'other', now: { interestDeposit: 30 } }),
      supply({ address: 'Same', mint: 'Dollar', now: { interestDeposit: 4 }, depositRoomUsd: usd(101) }),
      debt(),
    ];
    const { strategies } = rankStrategies(banks, [], NOW_MS);
    expect(strategies.map(({ supply: { address }, kind }) => [address, kind])).toEqual([
      ['Dollars', 'stable'],
      ['Same', 'rate_arbitrage'],
      ['Coins', 'directional_long'],
    ]);
    expect(strategies.map(({ score }) => score > 50)).toEqual([true, true, false]);
  });

  it('takes the loss of a bad month of its own prices from a bet, and of its kind where there are too few', () => {
    const rank = (coin: number[]) =>
      only(
        rankStrategies(
          [
            supply({ assetClass: 'other', monthGrowths: daily(coin), now: { interestDeposit: 20 } }),
            debt({ monthGrowths: daily(coin.map(() => 1)) }),
          ],
          [
            {
              inMint: 'Dollar',
              outMint: 'Coin',
              rungs: [{ sizeUsd: 1, costBps: 0 }],
              depthUsd: null,
              quotedAtMs: NOW_MS,
            },
          ],
          NOW_MS,
        ).strategies,
      ).scoreParts;
    // Falls by a tenth, evenly: what is borrowed at a leverage of 2.27, 1.27, is owed by a ninth more.
    const falling = Array.from({ length: 60 }, (_, day) => 0.9 ** (day / 30));
    const own = rank(falling);
    expect(own.badMonth).toEqual({ pct: expect.closeTo(10, 9), isAssumed: false });
    expect(own.penalty).toBeCloseTo(1.44 / 9, 9);
    const assumed = rank(falling.slice(1));
    expect(assumed.badMonth).toEqual({ pct: 40, isAssumed: true });
    expect(assumed.penalty).toBe(0.9);
    expect(assumed.stability).toBeLessThan(own.stability);
  });

  it('lists what is recommended without debt, as supplying alone', () => {
    const strategy = only(
      rankStrategies([supply({ assetInit: '0.1', assetMaint: '0.1' }), debt({ borrowRoomUsd: 0n })], [], NOW_MS)
        .strategies,
    );
    expect(strategy).toMatchObject({
      recommendedLeverageHundredths: 100n,
      maxLeverageHundredths: 108n,
      sizeUsd: usd(1_000_000),
    });
    expect(strategy.recommended).toEqual({
      netApyPct: 5,
      healthRatio: null,
      priceRatioDropPct: null,
      entryBps: 0,
      breakEvenDays: 0,
    });
  });
});

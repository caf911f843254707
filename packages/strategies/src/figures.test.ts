import { toShownUsd } from '@lending/domain';
import { describe, expect, it } from 'vitest';
import { figuresAt, sizeAt } from './figures.ts';
import { monthGrowthsOf } from './month-growths.ts';
import { isKnown, netApyPct, yieldsNow, yieldsOfWindow } from './net-apy.ts';
import { sizeOf } from './size.ts';
import type { StrategyBank } from './strategy-bank.ts';
import type { SwapCost } from './swap-cost.ts';
import { madeBank, madeLst, madeSol, NOW_MS, only, rankStrategies, usd } from './testing/made-banks.ts';

const swap: SwapCost = {
  inMint: 'Sol',
  outMint: 'Staked',
  rungs: [
    { sizeUsd: 10_000, costBps: 4 },
    { sizeUsd: 110_000, costBps: 14 },
  ],
  depthUsd: null,
  quotedAtMs: NOW_MS,
};

const banks = [madeLst(), madeSol({ originationFee: '0.001' })];
const strategy = only(rankStrategies(banks, [swap], NOW_MS).strategies);

describe('figuresAt', () => {
  it('works out a leverage of 3', () => {
    const figures = figuresAt(strategy, 300n);
    expect(figures.netApyPct).toBeCloseTo(3 * 7.6 - 2 * 5.5, 12);
    expect(figures.healthRatio).toBeCloseTo((3 * 1.051) / (2 * 1.1), 9);
    expect(figures.priceRatioDropPct).toBeCloseTo(100 * (1 - 2.2 / 3.153), 9);
    expect(figures.entryBps).toBeCloseTo(2 * (10 + 4), 9);
    expect(figures.breakEvenDays).toBeCloseTo((0.28 / 11.8) * 365.25, 9);
  });

  it('costs the swap of an amount at its own size', () => {
    // 30,000 of own capital swap 60,000: halfway from 4 to 14.
    expect(figuresAt(strategy, 300n, 30_000).entryBps).toBeCloseTo(2 * (10 + 9), 9);
    expect(figuresAt(strategy, 300n, 1).entryBps).toBeCloseTo(2 * (10 + 4), 9);
  });

  it('knows no cost of a swap that is larger than any quoted one', () => {
    expect(figuresAt(strategy, 300n, 55_000).entryBps).toBeCloseTo(2 * (10 + 14), 9);
    expect(figuresAt(strategy, 300n, 55_001)).toMatchObject({ entryBps: null, breakEvenDays: null });
  });

  it('has no debt and no cost at a leverage of 1', () => {
    expect(figuresAt(strategy, 100n, 1_000_000)).toEqual({
      netApyPct: 7.6,
      healthRatio: null,
      priceRatioDropPct: null,
      entryBps: 0,
      breakEvenDays: 0,
    });
  });

  it('swaps nothing where the very token is borrowed, whatever somebody quoted for it', () => {
    const same = [madeBank({ address: 'A', lendsOut: false }), madeBank({ address: 'B', takesDeposits: false })];
    const odd = { ...swap, inMint: 'Dollar', outMint: 'Dollar', depthUsd: 0n };
    const arbitrage = only(rankStrategies(same, [odd], NOW_MS).strategies);
    expect(arbitrage).toMatchObject({ type: 'rate_arbitrage', swap: null, swapCostBps: null, swapSizeUsd: null });
    expect(arbitrage.bindingConstraint).toBe('deposit_cap');
    expect(figuresAt(arbitrage, 200n, 1_000_000).entryBps).toBe(0);
  });

  it('knows no cost of a swap that was never quoted', () => {
    const unquoted = only(rankStrategies(banks, [], NOW_MS).strategies);
    expect(figuresAt(unquoted, 300n, 10)).toMatchObject({ entryBps: null, breakEvenDays: null });
    expect(figuresAt(unquoted, 300n).entryBps).toBeNull();
  });
});

describe('sizeAt', () => {
  it('fits more at less leverage', () => {
    // 700,000 can leave the bank of the debt; a million fits into the supply's.
    expect(sizeAt(strategy, 300n)).toEqual({
      sizeUsd: (usd(1_000_000) * 100n) / 300n,
      bindingConstraint: 'deposit_cap',
    });
    expect(sizeAt(strategy, 800n)).toEqual({ sizeUsd: usd(100_000), bindingConstraint: 'liquidity' });
  });
});

describe('netApyPct', () => {
  it('earns on everything supplied and pays on all but the own part', () => {
    expect(netApyPct({ supplyPct: 7.6, borrowPct: 5.5 }, 761n)).toBeCloseTo(7.61 * 7.6 - 6.61 * 5.5, 12);
    expect(netApyPct({ supplyPct: 7.6, borrowPct: 5.5 }, 100n)).toBe(7.6);
  });
});

describe('yieldsNow', () => {
  it('adds what both tokens earn by themselves, on both sides', () => {
    const supply = madeBank({ now: { interestDeposit: 3, native: 7, emissionsDeposit: 0.5 } });
    const borrow = madeBank({ now: { totalBorrow: 6, native: 2, emissionsDeposit: 40 } });
    expect(yieldsNow(supply, borrow)).toEqual({ supplyPct: 10.5, borrowPct: 8 });
  });

  it('counts what a supply may earn besides as nothing while it is unknown', () => {
    const supply = madeBank({ now: { native: null, emissionsDeposit: null } });
    expect(yieldsNow(supply, madeBank())).toEqual({ supplyPct: 5, borrowPct: 6 });
  });

  it('is unknown where an interest is, or what a debt grows by', () => {
    const bank = madeBank();
    expect(yieldsNow(madeBank({ now: { interestDeposit: null } }), bank)).toBeNull();
    expect(yieldsNow(bank, madeBank({ now: { totalBorrow: null } }))).toBeNull();
    expect(yieldsNow(bank, madeBank({ now: { native: null } }))).toBeNull();
  });
});

describe('yieldsOfWindow', () => {
  it('uses the means of its own window', () => {
    const bank = madeBank({ week: { interestDeposit: 1, totalBorrow: 2 }, month: { interestDeposit: 3 } });
    expect(yieldsOfWindow(bank, bank, 'week')).toEqual({ supplyPct: 1, borrowPct: 2 });
    expect(yieldsOfWindow(bank, bank, 'month')).toEqual({ supplyPct: 3, borrowPct: 6 });
  });

  it('is unknown where something that the supply earns now was not measured then', () => {
    const staked = { native: 7, emissionsDeposit: 0.5 };
    const bank = madeBank({ now: { native: 0 } });
    expect(yieldsOfWindow(madeBank({ now: staked, week: { native: null } }), bank, 'week')).toBeNull();
    expect(yieldsOfWindow(madeBank({ now: staked, week: { emissionsDeposit: null } }), bank, 'week')).toBeNull();
    expect(yieldsOfWindow(madeBank({ now: staked }), bank, 'week')?.supplyPct).toBe(12.5);
  });

  it('misses nothing that is nothing now, or unknown now too', () => {
    const bank = madeBank();
    const lost = { native: null, emissionsDeposit: null };
    expect(yieldsOfWindow(madeBank({ week: lost }), bank, 'week')?.supplyPct).toBe(5);
    expect(yieldsOfWindow(madeBank({ now: lost }), bank, 'week')?.supplyPct).toBe(5);
  });

  it('is unknown where an interest of then is', () => {
    const bank = madeBank();
    expect(yieldsOfWindow(madeBank({ month: { interestDeposit: null } }), bank, 'month')).toBeNull();
    expect(yieldsOfWindow(bank, madeBank({ month: { totalBorrow: null } }), 'month')).toBeNull();
    expect(yieldsOfWindow(bank, madeBank({ month: { native: null } }), 'month')).toBeNull();
  });
});

describe('isKnown', () => {
  it('takes no rate for known that sums would lose their meaning with', () => {
    const rates = [null, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e300, -1e13];
    expect(rates.filter(isKnown)).toEqual([]);
    expect([0, -3, 1_900_000].filter(isKnown)).toEqual([0, -3, 1_900_000]);
  });
});

const ONE = 10n ** 18n;
const closes = (prices: Readonly<Record<number, bigint>>) =>
  Object.entries(prices).map(([day, priceE18]) => ({ day: Number(day), priceE18 }));

describe('monthGrowthsOf', () => {
  it('has the factor of 30 days for the day they begin on, and none where either end is missing', () => {
    const { firstDay, factors } = monthGrowthsOf(
      closes({ 102: 4n * ONE, 100: 2n * ONE, 130: 3n * ONE, 132: ONE, 131: 9n * ONE, 161: ONE }),
    );
    expect(firstDay).toBe(100);
    expect(factors).toHaveLength(32);
    expect([...factors.subarray(0, 3)]).toEqual([1.5, Number.NaN, 0.25]);
    expect(factors[31]).toBeCloseTo(1 / 9, 15);
    expect([...factors].filter((factor) => !Number.isNaN(factor))).toHaveLength(3);
  });

  it('takes a price of 0 or less for none', () => {
    expect([...monthGrowthsOf(closes({ 0: ONE, 30: 0n, 1: 0n, 31: ONE, 2: -ONE, 32: ONE })).factors]).toEqual([
      Number.NaN,
      Number.NaN,
      Number.NaN,
    ]);
  });

  it('knows no factor of days that span no month, of none at all, and of a price that lost all its digits', () => {
    expect(monthGrowthsOf(closes({ 5: ONE, 34: ONE })).factors).toHaveLength(0);
    expect(monthGrowthsOf([]).factors).toHaveLength(0);
    expect([...monthGrowthsOf(closes({ 0: 10n ** 60n, 30: 1n })).factors]).toEqual([Number.NaN]);
  });
});

type Rooms = Partial<Pick<StrategyBank, 'depositRoomUsd' | 'borrowRoomUsd' | 'liquidityUsd' | 'blockedBy'>>;
const quotedFor = (depthUsd: bigint | null) => ({ inMint: 'b', outMint: 'a', rungs: [], depthUsd, quotedAtMs: 0 });
const sized = (supply: Rooms, borrow: Rooms, leverage = 300n, depthUsd: bigint | null | undefined = undefined) =>
  sizeOf(
    { supply: madeBank(supply), borrow: madeBank(borrow), swap: depthUsd === undefined ? null : quotedFor(depthUsd) },
    leverage,
  );
const open: Rooms = { depositRoomUsd: null, borrowRoomUsd: null, liquidityUsd: usd(1_000_000) };

describe('sizeOf', () => {
  it('names each limit where it is the tightest', () => {
    expect(sized({ ...open, depositRoomUsd: usd(900) }, open)).toEqual({
      sizeUsd: usd(300),
      bindingConstraint: 'deposit_cap',
    });
    expect(sized(open, { ...open, borrowRoomUsd: usd(900) })).toEqual({
      sizeUsd: usd(450),
      bindingConstraint: 'borrow_cap',
    });
    expect(sized(open, { ...open, liquidityUsd: usd(900) }).bindingConstraint).toBe('liquidity');
    expect(sized(open, open, 300n, usd(900))).toEqual({ sizeUsd: usd(450), bindingConstraint: 'swap_depth' });
  });

  it('asks each side for its own rooms only', () => {
    const none: Rooms = { depositRoomUsd: 0n, borrowRoomUsd: 0n, liquidityUsd: 0n };
    const { sizeUsd } = sized({ ...none, depositRoomUsd: null }, { ...open, depositRoomUsd: 0n });
    expect(sizeUsd).toBe(usd(500_000));
  });

  it('is nothing where a room is full', () => {
    expect(sized({ ...open, depositRoomUsd: 0n }, { ...open, borrowRoomUsd: 0n, liquidityUsd: 0n })).toEqual({
      sizeUsd: 0n,
      bindingConstraint: 'deposit_cap',
    });
    expect(sized(open, open, 300n, 0n)).toEqual({ sizeUsd: 0n, bindingConstraint: 'swap_depth' });
  });

  it('is nothing while a bank of either side cannot be used', () => {
    const blocked = { sizeUsd: 0n, bindingConstraint: 'state' };
    expect(sized({ ...open, blockedBy: 'stale_price' }, open)).toEqual(blocked);
    expect(sized({ ...open, depositRoomUsd: 0n }, { ...open, blockedBy: 'paused_group' })).toEqual(blocked);
  });

  it('promises nothing of liquidity that nobody knows', () => {
    expect(sized(open, { ...open, liquidityUsd: null })).toEqual({ sizeUsd: 0n, bindingConstraint: 'liquidity' });
  });

  it('needs nothing of the debt at a leverage of 1', () => {
    const closed: Rooms = { borrowRoomUsd: 0n, liquidityUsd: null };
    expect(sized({ ...open, depositRoomUsd: usd(900) }, closed, 100n, 0n)).toEqual({
      sizeUsd: usd(900),
      bindingConstraint: 'deposit_cap',
    });
  });

  it('stops at what anybody owns where nothing of the pair does', () => {
    const most = { sizeUsd: usd(1_000_000_000_000), bindingConstraint: 'balance' };
    expect(sized(open, open, 100n)).toEqual(most);
    expect(sized({ ...open, depositRoomUsd: usd(5_000_000_000_000) }, open, 100n)).toEqual(most);
  });

  it('rounds down', () => {
    const { sizeUsd } = sized({ ...open, depositRoomUsd: 1_000n }, open);
    expect(sizeUsd).toBe(333n);
    expect(toShownUsd(sizeUsd)).toBeLessThan(1);
  });
});

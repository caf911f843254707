import { describe, expect, it } from 'vitest';
import { figuresAt, sizeAt } from './figures.ts';
import type { SwapCost } from './swap-cost.ts';
import { madeBank, NOW_MS, usd } from './testing/made-banks.ts';
import { madeLst, madeSol } from './testing/made-lst.ts';
import { only } from './testing/only.ts';
import { rankStrategies } from './testing/rank-strategies.ts';

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

import { describe, expect, it } from 'vitest';
import { usd } from '../testing/made-banks.ts';
import { capacityOf } from './capacity.ts';
import { carryOf } from './carry.ts';
import { type LiquidityInputs, liquidityOf } from './liquidity.ts';
import { type PenaltyInputs, penaltyOf } from './penalty.ts';
import { SCORE_WEIGHTS, scoreOf } from './score.ts';
import { type StabilityInputs, stabilityOf } from './stability.ts';

const badMonth = { pct: 5, isAssumed: true };
const all = { carry: 1, stability: 1, capacity: 1, liquidity: 1, penalty: 0, badMonth };

describe('scoreOf', () => {
  it('goes from 0 to 100', () => {
    expect(scoreOf(all, true)).toBeCloseTo(100, 12);
    expect(scoreOf({ carry: 0, stability: 0, capacity: 0, liquidity: 0, penalty: 0, badMonth }, false)).toBe(0);
  });

  it('has what stands first in the upper half, and all else in the lower', () => {
    expect([scoreOf({ ...all, penalty: 1 }, true), scoreOf(all, false)]).toEqual([50, 50]);
  });

  it('weighs its parts and takes the penalty off', () => {
    const parts = { carry: 0.5, stability: 0.4, capacity: 0.8, liquidity: 0.1, penalty: 0.2, badMonth };
    // 0.175 + 0.12 + 0.12 + 0.02 = 0.435, of which four fifths stay: half of 34.8.
    expect(scoreOf(parts, false)).toBeCloseTo(17.4, 12);
    expect(scoreOf(parts, true)).toBeCloseTo(67.4, 12);
  });

  it('has weights that add up to 1', () => {
    expect(Object.values(SCORE_WEIGHTS).reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12);
  });
});

describe('carryOf', () => {
  it('counts every further percent less', () => {
    expect([0, 10, 30, 90].map((pct) => carryOf(pct, []))).toEqual([0, 0.5, 0.75, 0.9]);
  });

  it('believes no yield that the means do not bear out', () => {
    expect(carryOf(90, [10, 30])).toBe(0.5);
    expect(carryOf(10, [90, 30])).toBe(0.5);
    expect(carryOf(30, [null, 10])).toBe(0.5);
    expect(carryOf(30, [null, null])).toBe(0.75);
  });

  it('is 0 where the pair loses, or lost', () => {
    expect([carryOf(-5, []), carryOf(5, [-5, 5])]).toEqual([0, 0]);
  });
});

describe('capacityOf', () => {
  it('grows with every factor of ten, from a hundred to ten million', () => {
    const sizes = [100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000].map((size) => capacityOf(usd(size)));
    sizes.forEach((size, step) => {
      expect(size).toBeCloseTo(0.2 + 0.16 * step, 9);
    });
    expect(capacityOf(usd(1_000_000_000))).toBe(1);
  });

  it('tells any size from none', () => {
    expect([capacityOf(0n), capacityOf(1n), capacityOf(usd(99))]).toEqual([0, 0.2, 0.2]);
  });
});

const still: StabilityInputs = {
  badMonthPct: 5,
  priceRatioDropPct: 5,
  netApyPct: 10,
  means: [10, 10],
};

const stability = (inputs: Partial<StabilityInputs>) => stabilityOf({ ...still, ...inputs });

describe('stabilityOf', () => {
  it('gives half of the distance where a bad month liquidates', () => {
    expect(stability({})).toBeCloseTo(0.35 + 0.3, 12);
    expect(stability({ badMonthPct: 40, priceRatioDropPct: 40 })).toBeCloseTo(0.65, 12);
    expect(stability({ priceRatioDropPct: 15 })).toBeCloseTo(0.7 * 0.75 + 0.3, 12);
  });

  it('trusts the same distance less where prices move more', () => {
    expect(stability({ badMonthPct: 1, priceRatioDropPct: 9 })).toBeCloseTo(0.63 + 0.3, 12);
    expect(stability({ badMonthPct: 21, priceRatioDropPct: 9 })).toBeCloseTo(0.21 + 0.3, 12);
  });

  it('has all of the distance without debt, and none beyond the line', () => {
    expect(stability({ priceRatioDropPct: null })).toBeCloseTo(1, 12);
    expect(stability({ priceRatioDropPct: -3 })).toBeCloseTo(0.3, 12);
  });

  it('takes from what the yield has not been', () => {
    expect(stability({ means: [5, 10] })).toBeCloseTo(0.35 + 0.3 * 0.75, 12);
    expect(stability({ netApyPct: 5, means: [10, 5] })).toBeCloseTo(0.35 + 0.3 * 0.75, 12);
    expect(stability({ means: [-10, -10] })).toBeCloseTo(0.35, 12);
  });

  it('minds no small difference of small yields', () => {
    expect(stability({ netApyPct: 0.5, means: [1, 0.5] })).toBeCloseTo(0.35 + 0.3 * 0.875, 12);
  });

  it('takes an unknown mean for neither steady nor unsteady', () => {
    expect(stability({ means: [null, null] })).toBeCloseTo(0.35 + 0.15, 12);
  });
});

const easy: LiquidityInputs = {
  supplyLiquidityUsd: usd(10_000_000),
  entryBps: 0,
};

const liquidity = (inputs: Partial<LiquidityInputs>) => liquidityOf({ ...easy, ...inputs });

describe('liquidityOf', () => {
  it('is all of it where plenty leaves at no cost', () => {
    expect(liquidity({})).toBe(1);
    expect(liquidity({ entryBps: -20 })).toBe(1);
  });

  it('counts what can leave by factors of ten', () => {
    expect(liquidity({ supplyLiquidityUsd: usd(10_000) })).toBeCloseTo(0.5 + 0.5 * 0.4, 9);
    expect(liquidity({ supplyLiquidityUsd: 0n })).toBe(0.5);
  });

  it('halves the ease of the way at fifty basis points', () => {
    expect(liquidity({ entryBps: 50 })).toBe(0.75);
  });

  it('finds no ease in what is unknown', () => {
    expect(liquidity({ supplyLiquidityUsd: null })).toBe(0.5);
    expect(liquidity({ entryBps: null })).toBe(0.5);
  });
});

const sound: PenaltyInputs = {
  netApyPct: 10,
  netApyBasePct: 5,
  sizeUsd: usd(1_000),
  means: [10, 10],
  isLevered: true,
  entryBps: 0,
  breakEvenDays: 0,
  badMonthLoss: 0,
  quoteAgeMs: 0,
};

const penalty = (inputs: Partial<PenaltyInputs>) => penaltyOf({ ...sound, ...inputs });

describe('penaltyOf', () => {
  it('takes nothing from what is known, pays and fits', () => {
    expect(penalty({})).toBe(0);
  });

  it('takes nearly all from what earns nothing, or what nothing of fits', () => {
    expect([penalty({ netApyPct: -1 }), penalty({ netApyPct: 0 }), penalty({ sizeUsd: 0n })]).toEqual([
      0.999, 0.999, 0.999,
    ]);
  });

  it('takes for each thing that is unknown or old', () => {
    expect(penalty({ entryBps: null, breakEvenDays: null, quoteAgeMs: null })).toBeCloseTo(0.1, 12);
    expect(penalty({ quoteAgeMs: 86_400_000 })).toBe(0);
    expect(penalty({ quoteAgeMs: 86_400_001 })).toBeCloseTo(0.05, 12);
    expect(penalty({ means: [null, 10] })).toBeCloseTo(0.05, 12);
    expect(penalty({ means: [null, null] })).toBeCloseTo(0.1, 12);
  });

  it('takes what a bad month takes, and leaves a sound pair a tenth', () => {
    expect(penalty({ badMonthLoss: 0.3, quoteAgeMs: 86_400_001 })).toBeCloseTo(0.35, 12);
    expect(penalty({ badMonthLoss: 1 })).toBe(0.9);
    expect(penalty({ badMonthLoss: 1, netApyPct: 0 })).toBe(0.999);
  });

  it('takes for a way in that is paid for slowly, a year and more alike', () => {
    expect(penalty({ breakEvenDays: 36.525 })).toBeCloseTo(0.015, 12);
    expect([penalty({ breakEvenDays: 365.25 }), penalty({ breakEvenDays: 4_000 })]).toEqual([0.15, 0.15]);
  });

  it('takes where debt adds nothing to supplying alone', () => {
    expect(penalty({ netApyBasePct: 10 })).toBeCloseTo(0.15, 12);
    expect(penalty({ netApyBasePct: 10, isLevered: false })).toBe(0);
  });

  it('takes where less than a thousand dollars fits, the more the less', () => {
    expect(penalty({ sizeUsd: usd(600) })).toBeCloseTo(0.2, 9);
    expect(penalty({ sizeUsd: 1n })).toBeCloseTo(0.5, 9);
  });

  it('leaves a sound pair a tenth', () => {
    const worst = { sizeUsd: 1n, entryBps: null, quoteAgeMs: null, means: [null, null], netApyBasePct: 10 } as const;
    expect(penalty({ ...worst, breakEvenDays: 365.25 })).toBe(0.9);
  });
});

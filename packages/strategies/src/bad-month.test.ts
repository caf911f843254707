import { describe, expect, it } from 'vitest';
import { badFallPct, createBadMonths, isPriceBet, lossOf } from './bad-month.ts';
import type { MonthGrowths } from './month-growths.ts';
import { STRATEGY_KINDS } from './strategy.ts';

const growths = (factors: readonly number[], firstDay = 0): MonthGrowths => ({
  firstDay,
  factors: Float64Array.from(factors),
});
const times = (count: number, factor: number) => Array.from({ length: count }, () => factor);
const still = growths(times(400, 1));

describe('badFallPct', () => {
  it('is the change that one in twenty is no better than', () => {
    const changes = [
      ...times(370, 1.2),
      ...Array.from({ length: 20 }, (_, index) => 0.5 + index / 100),
      ...times(10, 0.99),
    ];
    // The 20th of 400, the worst first.
    expect(badFallPct(growths(changes), still)).toBeCloseTo(31, 9);
    // The second of 30.
    expect(badFallPct(growths([...times(28, 1), 0.4, 0.7]), still)).toBeCloseTo(30, 9);
  });

  it('divides the price supplied by the price owed: a short loses where the debt rises', () => {
    const rising = growths(times(30, 1.25));
    expect(badFallPct(still, rising)).toBeCloseTo(20, 9);
    expect(badFallPct(rising, still)).toBeCloseTo(-25, 9);
    expect(badFallPct(rising, rising)).toBe(0);
  });

  it('compares the same days, whenever either history begins', () => {
    const early = growths([...times(5, 0.1), ...times(35, 0.9)], 95);
    expect(badFallPct(early, growths(times(50, 1), 100))).toBeCloseTo(10, 9);
    expect(badFallPct(growths(times(50, 1), 100), early)).toBeCloseTo(100 * (1 - 1 / 0.9), 9);
  });

  it('says nothing of fewer windows than 60 days in a row have', () => {
    expect(badFallPct(growths(times(29, 0.9)), still)).toBeNull();
    expect(badFallPct(growths([...times(29, 0.9), Number.NaN, Number.NaN]), still)).toBeNull();
    expect(badFallPct(still, growths([...times(29, 0.9), Number.NaN, 0.9]))).not.toBeNull();
    expect(badFallPct(growths(times(300, 0.9), 400), still)).toBeNull();
    expect(badFallPct(growths([]), still)).toBeNull();
  });
});

describe('createBadMonths', () => {
  const badMonths = createBadMonths();
  const side = (monthGrowths: MonthGrowths | null) => ({ monthGrowths });
  const falling = side(growths(times(30, 0.8)));

  it('takes a price bet by its own history, and every other pair by its kind', () => {
    const all = STRATEGY_KINDS.map((kind) => [kind, badMonths(kind, falling, side(still))]);
    const own = { pct: expect.closeTo(20, 9), isAssumed: false };
    expect(Object.fromEntries(all)).toEqual({
      stable: { pct: 5, isAssumed: true },
      sol_lst: { pct: 5, isAssumed: true },
      rate_arbitrage: { pct: 1, isAssumed: true },
      directional_long: own,
      directional_short: own,
      other: own,
    });
  });

  it('takes a bet by its kind where either history is missing or too short', () => {
    const short = side(growths(times(29, 0.8)));
    for (const [supply, borrow] of [
      [side(null), falling],
      [falling, side(null)],
      [short, falling],
      [falling, short],
    ] as const)
      expect(
        (['directional_long', 'directional_short', 'other'] as const).map((kind) => badMonths(kind, supply, borrow)),
      ).toEqual([40, 35, 30].map((pct) => ({ pct, isAssumed: true })));
  });

  it('takes no bet for safer than one token against itself, though it rose all along', () => {
    expect(badMonths('other', side(growths(times(30, 1.5))), side(still))).toEqual({ pct: 1, isAssumed: false });
  });

  it('keeps what two histories came to apart from others, and for their direction', () => {
    const one = growths(times(30, 0.8));
    const pctOf = (supply: MonthGrowths, borrow: MonthGrowths) => badMonths('other', side(supply), side(borrow)).pct;
    for (let turn = 0; turn < 2; turn += 1) {
      expect(pctOf(one, still)).toBeCloseTo(20, 9);
      expect(pctOf(still, one)).toBe(1);
      expect(pctOf(growths(times(30, 0.6)), still)).toBeCloseTo(40, 9);
    }
  });
});

describe('lossOf', () => {
  it('is what the debt grows by, and at most all of the capital', () => {
    expect(lossOf({ pct: 20 }, 300n)).toBeCloseTo(0.5, 12);
    expect(lossOf({ pct: 20 }, 100n)).toBe(0);
    expect([lossOf({ pct: 40 }, 300n), lossOf({ pct: 100 }, 300n), lossOf({ pct: 100 }, 100n)]).toEqual([1, 1, 0]);
  });
});

describe('isPriceBet', () => {
  it('is true of what a price moves one way or the other', () => {
    expect(STRATEGY_KINDS.filter(isPriceBet)).toEqual(['directional_long', 'directional_short', 'other']);
  });
});

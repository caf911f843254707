import { describe, expect, it } from 'vitest';
import { type StabilityInputs, stabilityOf } from './stability.ts';

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

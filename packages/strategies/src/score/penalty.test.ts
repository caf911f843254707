import { describe, expect, it } from 'vitest';
import { usd } from '../testing/made-banks.ts';
import { type PenaltyInputs, penaltyOf } from './penalty.ts';

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

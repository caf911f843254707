import { describe, expect, it } from 'vitest';
import { slopeOf } from './statistics.ts';

describe('slopeOf', () => {
  it('is what a figure grows by in an hour', () => {
    const samples = [0, 0.25, 0.5, 0.75].map((hours) => [hours, 400 + 12 * hours] as const);
    expect(slopeOf(samples)).toBeCloseTo(12, 9);
    expect(slopeOf(samples.map(([hours]) => [hours, 400]))).toBe(0);
  });

  it('takes what goes up and down for flat', () => {
    expect(slopeOf([400, 430, 430, 400].map((value, nth) => [nth, value]))).toBeCloseTo(0, 9);
  });

  it('says nothing of one moment', () => {
    expect(slopeOf([[1, 400]])).toBeNaN();
  });
});

import { describe, expect, it } from 'vitest';
import { aprToApy, growthToApy } from './apy.ts';

describe('aprToApy', () => {
  it('compounds by the hour', () => {
    expect(aprToApy(0.1)).toBeCloseTo((1 + 0.1 / 8766) ** 8766 - 1, 10);
  });

  it('is zero at zero, and exact for rates far below one hour', () => {
    expect(aprToApy(0)).toBe(0);
    expect(aprToApy(1e-12)).toBeCloseTo(1e-12, 20);
  });
});

describe('growthToApy', () => {
  it('carries the growth on for a year of 365.25 days', () => {
    expect(growthToApy(1, 1.01, 30 * 86_400)).toBeCloseTo(1.01 ** (365.25 / 30) - 1, 12);
    expect(growthToApy(2, 3, 365.25 * 86_400)).toBeCloseTo(0.5, 12);
    expect(growthToApy(1, 0.99, 365.25 * 86_400)).toBeCloseTo(-0.01, 12);
  });

  it.each([
    [0, 1, 10],
    [1, 0, 10],
    [1, 1, 0],
    [1, Number.NaN, 10],
  ])('knows no growth from %s to %s in %s s', (first, last, seconds) => {
    expect(growthToApy(first, last, seconds)).toBeNull();
  });
});

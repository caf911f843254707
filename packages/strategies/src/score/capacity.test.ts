import { describe, expect, it } from 'vitest';
import { usd } from '../testing/made-banks.ts';
import { capacityOf } from './capacity.ts';

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

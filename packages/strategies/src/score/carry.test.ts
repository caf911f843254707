import { describe, expect, it } from 'vitest';
import { carryOf } from './carry.ts';

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

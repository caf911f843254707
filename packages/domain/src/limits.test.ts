import { describe, expect, it } from 'vitest';
import { limitFromU64, remainingCapacity } from './limits.ts';

describe('limitFromU64', () => {
  it('takes the largest number for no cap, and zero for a cap', () => {
    expect(limitFromU64(2n ** 64n - 1n)).toBeNull();
    expect(limitFromU64(0n)).toBe(0n);
  });
});

describe('remainingCapacity', () => {
  it('keeps the total strictly below the limit', () => {
    expect(remainingCapacity(100n, 98n)).toBe(1n);
    expect(remainingCapacity(100n, 99n)).toBe(0n);
  });

  it('is zero above the limit, and unlimited without one', () => {
    expect(remainingCapacity(100n, 500n)).toBe(0n);
    expect(remainingCapacity(null, 500n)).toBeNull();
  });
});

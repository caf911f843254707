import { describe, expect, it } from 'vitest';
import { priceFromSamples } from './priority-price.ts';

const CEILING = { ceiling: 1_000_000n };

describe('priceFromSamples', () => {
  it('takes the 25th, 50th and 75th of a hundred that paid, whatever did not', () => {
    const samples = [...Array.from({ length: 100 }, (_, index) => BigInt(100 - index)), ...Array(500).fill(0n)];
    expect(priceFromSamples(samples, 'low', CEILING)).toBe(25n);
    expect(priceFromSamples(samples, 'medium', CEILING)).toBe(50n);
    expect(priceFromSamples(samples, 'high', CEILING)).toBe(75n);
  });

  it('takes the only one at every level', () => {
    expect(priceFromSamples([0n, 9n], 'low', CEILING)).toBe(9n);
    expect(priceFromSamples([9n, 0n], 'high', CEILING)).toBe(9n);
  });

  it('sorts by value, not by digits', () => {
    expect(priceFromSamples([100n, 20n, 3n], 'medium', CEILING)).toBe(20n);
  });

  it('asks for nothing where nobody paid', () => {
    expect(priceFromSamples([0n, 0n], 'high', CEILING)).toBe(0n);
    expect(priceFromSamples([], 'medium', CEILING)).toBe(0n);
  });

  it('never goes above the ceiling, but for the caller', () => {
    expect(priceFromSamples([5_000_000n], 'medium', CEILING)).toBe(1_000_000n);
    expect(priceFromSamples([1n], 5_000_000n, CEILING)).toBe(5_000_000n);
    expect(priceFromSamples([1n], 0n, CEILING)).toBe(0n);
  });
});

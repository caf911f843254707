import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromUiAmount, scientificToDecimal, toUiAmount } from './amounts.ts';

describe('toUiAmount', () => {
  it('is exact for every u64 and every number of decimals a mint can have', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.integer({ min: 0, max: 23 }), (base, decimals) => {
        expect(fromUiAmount(toUiAmount(base, decimals), decimals)).toBe(base);
      }),
    );
  });

  it('writes no trailing zeros', () => {
    expect(toUiAmount(1_500_000n, 6)).toBe('1.5');
  });
});

describe('fromUiAmount', () => {
  it('refuses more decimals than the mint has', () => {
    expect(() => fromUiAmount('0.0000001', 6)).toThrow();
  });
});

describe('scientificToDecimal', () => {
  it('writes out what feeds publish', () => {
    expect(scientificToDecimal(242_803n, -10)).toBe('0.0000242803');
    expect(scientificToDecimal(7n, 3)).toBe('7000');
  });
});

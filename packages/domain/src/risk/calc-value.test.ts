import { describe, expect, it } from 'vitest';
import { ASSET_TAG } from '../asset-tag.ts';
import { I80F48_ONE, integerToI80F48, parseI80F48 } from '../i80f48.ts';
import { calcValue } from './calc-value.ts';
import { madeBank } from './testing/made-balances.ts';

describe('calcValue', () => {
  it('divides by the powers of ten of the balance', () => {
    expect(calcValue(integerToI80F48(2_500_000n), integerToI80F48(4n), null, madeBank())).toBe(integerToI80F48(10n));
    expect(calcValue(integerToI80F48(2_500_000n), integerToI80F48(4n), I80F48_ONE / 2n, madeBank())).toBe(
      integerToI80F48(5n),
    );
    expect(
      calcValue(integerToI80F48(2_500_000_000n), integerToI80F48(4n), null, madeBank({ assetTag: ASSET_TAG.drift })),
    ).toBe(integerToI80F48(10n));
  });

  it('rounds down twice and then toward zero', () => {
    expect(calcValue(3n, I80F48_ONE / 2n, I80F48_ONE / 2n, madeBank({ decimals: 0 }))).toBe(0n);
    expect(calcValue(parseI80F48('19'), I80F48_ONE, null, madeBank({ decimals: 1 }))).toBe((19n * I80F48_ONE) / 10n);
    expect(calcValue(-1n, I80F48_ONE / 2n, null, madeBank({ decimals: 1 }))).toBe(0n);
  });

  it('panics past twenty-three decimals, but not on nothing', () => {
    expect(() => calcValue(1n, I80F48_ONE, null, madeBank({ decimals: 24 }))).toThrow('decimals');
    expect(calcValue(I80F48_ONE, integerToI80F48(10n), null, madeBank({ decimals: 1 }))).toBe(I80F48_ONE);
    expect(calcValue(0n, I80F48_ONE, null, madeBank({ decimals: 24 }))).toBe(0n);
    expect(calcValue(1n, I80F48_ONE, null, madeBank({ decimals: 23 }))).toBe(0n);
  });
});

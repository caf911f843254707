import { integerToI80F48 } from '@lending/domain';
import { describe, expect, it } from 'vitest';
import { tokensOfSupplies } from './scaled-supplies.ts';

describe('tokensOfSupplies', () => {
  const tokens = (liquidity: bigint, receipts: bigint, decimals: number, amount: bigint) =>
    tokensOfSupplies({ liquidity: integerToI80F48(liquidity), receipts, decimals }, amount);

  it('is the share of the liquidity, rounded down', () => {
    expect(tokens(5_000_000n, 2_000_000n, 6, 2_000_000n)).toBe(5_000_000n);
    expect(tokens(10n ** 15n + 7n, 10n ** 15n - 11n, 9, 123_456_789_012_345n)).toBe(123_456_789_012_347n);
  });

  it('carries the program’s rounding of both supplies: a unit less or more on a small reserve', () => {
    expect(tokens(2n, 3n, 9, 3n)).toBe(1n);
    expect(tokens(7n, 5n, 9, 5_000_000n)).toBe(7_000_001n);
  });

  it('fails on a reserve without receipts', () => {
    expect(() => tokens(1n, 0n, 6, 1n)).toThrow(expect.objectContaining({ code: 'DECODE__VALUE_OUT_OF_RANGE' }));
  });
});

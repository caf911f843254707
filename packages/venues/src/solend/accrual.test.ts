import { describe, expect, it } from 'vitest';
import { accrueReserve, compoundFactor } from './accrual.ts';
import { madeReserve } from './testing/made-reserve.ts';
import { WAD } from './wads.ts';

describe('accrueReserve', () => {
  /** 90 million of 100 million USDC lent: 36 % by the curve. */
  const reserve = madeReserve({
    liquidity: { availableAmount: 10_000_000_000_000n, borrowedAmountWads: 90_000_000_000_000n * WAD },
    accumulatedProtocolFeesWads: 0n,
  });

  it('gives the interest and fees of vector S3', () => {
    const { liquidity, accumulatedProtocolFeesWads } = accrueReserve(reserve, 10_000n);
    const interest = liquidity.borrowedAmountWads - reserve.liquidity.borrowedAmountWads;
    expect(interest / WAD).toBe(4_623_406_408n);
    expect(accumulatedProtocolFeesWads / WAD).toBe(924_681_281n);
    expect(liquidity.cumulativeBorrowRateWads).toBe(1_000_051_371_182_316_606n);
    expect(liquidity.availableAmount).toBe(reserve.liquidity.availableAmount);
  });

  it('changes nothing at the slot of the last update', () => {
    expect(accrueReserve(reserve, 1000n)).toBe(reserve);
  });

  it('fails at a slot before the last update, as the program does', () => {
    expect(() => accrueReserve(reserve, 999n)).toThrow(expect.objectContaining({ code: 'DECODE__VALUE_OUT_OF_RANGE' }));
  });

  it('fails where interest outgrows the program’s integers', () => {
    const dear = {
      ...reserve,
      superMaxBorrowRate: 100_000_000n,
      liquidity: { ...reserve.liquidity, availableAmount: 0n },
    };
    expect(() => accrueReserve(dear, 63_073_000n)).toThrow(
      expect.objectContaining({ code: 'DECODE__VALUE_OUT_OF_RANGE' }),
    );
  });
});

describe('compoundFactor', () => {
  it('gives the factor of vector S3', () => {
    expect(compoundFactor((36n * WAD) / 100n, 9000n)).toBe(1_000_051_371_182_316_606n);
  });

  it.each([
    [0n, WAD],
    [1n, WAD + (36n * WAD) / 100n / 63_072_000n],
  ])('is what one slot after another gives, for %s slots', (slots, factor) => {
    expect(compoundFactor((36n * WAD) / 100n, slots)).toBe(factor);
  });

  it('fails at the square behind the last slot where that does not fit, as the program does', () => {
    const dear = 20n * WAD * 63_072_000n;
    expect(() => compoundFactor(dear, 1n)).toThrow(expect.objectContaining({ code: 'DECODE__VALUE_OUT_OF_RANGE' }));
    expect(compoundFactor(dear / 10n, 1n)).toBe(3n * WAD);
  });
});

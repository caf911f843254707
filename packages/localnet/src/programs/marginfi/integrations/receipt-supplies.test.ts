import { integerToI80F48 } from '@lending/domain';
import { describe, expect, it } from 'vitest';
import { kaminoSupplies, receiptsFor, solendSupplies, tokensFor } from './receipt-supplies.ts';

const supplies = (liquidity: bigint, receipts: bigint, decimals = 6) => ({
  liquidity: integerToI80F48(liquidity),
  receipts,
  decimals,
});

describe('receiptsFor and tokensFor', () => {
  it('go by what a reserve has and how many receipts there are, rounded down', () => {
    const reserve = supplies(1_250_000_000n, 1_000_000_000n);
    expect([receiptsFor(reserve, 100n), tokensFor(reserve, 80n)]).toEqual([80n, 100n]);
    expect([receiptsFor(reserve, 101n), tokensFor(reserve, 81n)]).toEqual([80n, 101n]);
  });

  it('carry the rounding of the scaled supplies', () => {
    // 48 bits keep a millionth to nine digits: the exact quotient is 3.
    expect(tokensFor(supplies(3n, 1n), 1_000_000_000_000n)).not.toBe(3_000_000_000_000n);
  });

  it('end in the venue’s own error without receipts, with too much, or with decimals of no token', () => {
    expect(() => tokensFor(supplies(5n, 0n), 1n)).toThrow(expect.objectContaining({ number: 6000 }));
    expect(() => receiptsFor(supplies(0n, 5n), 1n)).toThrow(expect.objectContaining({ number: 6000 }));
    expect(() => receiptsFor(supplies(1n, 2n ** 40n, 0), 2n ** 60n)).toThrow(expect.objectContaining({ number: 6000 }));
    expect(() => receiptsFor(supplies(1n, 1n, 24), 1n)).toThrow(expect.objectContaining({ number: 6000 }));
  });
});

describe('what a reserve has', () => {
  it('is of Kamino what lies there and what is lent, less the fees, cut to 48 bits', () => {
    const sf = (whole: bigint) => (whole << 60n) + 4_095n;
    const reserve = {
      totalAvailableAmount: 1_000n,
      borrowedAmountSf: sf(500n),
      accumulatedProtocolFeesSf: sf(20n),
      accumulatedReferrerFeesSf: sf(3n),
      pendingReferrerFeesSf: sf(2n),
      mintDecimals: 6n,
      mintTotalSupply: 7n,
    };
    expect(kaminoSupplies(reserve)).toEqual({ liquidity: integerToI80F48(1_475n), receipts: 7n, decimals: 6 });
  });

  it('is of Solend the same in wads, each rounded down', () => {
    const wad = 10n ** 18n;
    const reserve = {
      lastUpdateSlot: 0n,
      liquidityMintDecimals: 9,
      liquidityAvailableAmount: 1_000n,
      liquidityBorrowedAmountWads: 500n * wad + wad / 2n,
      accumulatedProtocolFeesWads: 20n * wad + wad / 4n,
      collateralMintTotalSupply: 7n,
    };
    const liquidity = integerToI80F48(1_480n) + (1n << 46n);
    expect(solendSupplies(reserve)).toEqual({ liquidity, receipts: 7n, decimals: 9 });
  });
});

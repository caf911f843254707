import { integerToI80F48 } from '@lending/domain';
import { klendReserveLayout, solendReserveLayout } from '@lending/programs';
import { kaminoTokensCounted, solendTokensCounted } from '@lending/venues';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KAMINO_RESERVE, kaminoSupplies } from './kamino.ts';
import { SOLEND_RESERVE, solendSupplies } from './solend.ts';
import { receiptsFor, tokensFor } from './venue-banks.ts';

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

describe('the tokens that the service counts for a withdrawal', () => {
  const whole = fc.bigInt({ min: 1n, max: 10n ** 15n });
  const ledger = fc.record({
    available: fc.oneof(whole, fc.bigInt({ min: 1n, max: 100n })),
    lent: fc.bigInt({ min: 0n, max: 10n ** 12n }),
    receipts: fc.oneof(whole, fc.bigInt({ min: 1n, max: 100n })),
    decimals: fc.constantFrom(6, 9),
    permille: fc.bigInt({ min: 0n, max: 1_000n }),
  });
  const zeros = ({ fixedSize, discriminator }: { fixedSize: number; discriminator: Uint8Array }) => {
    const data = new Uint8Array(fixedSize);
    data.set(discriminator);
    return data;
  };

  /** The largest numbers are too large for the program's arithmetic: then both end. */
  const orEnd = (count: () => bigint): bigint | 'ends' => {
    try {
      return count();
    } catch {
      return 'ends';
    }
  };

  it('are those that this program counts, on Kamino', () => {
    const { liquidity, collateral, ...rest } = klendReserveLayout.decode(zeros(klendReserveLayout));
    fc.assert(
      fc.property(ledger, ({ available, lent, receipts, decimals, permille }) => {
        const amount = (receipts * permille) / 1_000n;
        const lentSf = (lent << 60n) / 7n;
        const totals = { mintDecimals: BigInt(decimals), totalAvailableAmount: available, borrowedAmountSf: lentSf };
        const reserve = {
          ...rest,
          liquidity: { ...liquidity, ...totals },
          collateral: { ...collateral, mintTotalSupply: receipts },
        };
        const view = KAMINO_RESERVE.view(Uint8Array.from(klendReserveLayout.encode(reserve)));
        expect(orEnd(() => kaminoTokensCounted(reserve, amount))).toBe(
          orEnd(() => tokensFor(kaminoSupplies(view), amount)),
        );
      }),
    );
  });

  it('are those that this program counts, on Solend', () => {
    const { liquidity, collateral, ...rest } = solendReserveLayout.decode(
      new Uint8Array(solendReserveLayout.fixedSize),
    );
    fc.assert(
      fc.property(ledger, ({ available, lent, receipts, decimals, permille }) => {
        const amount = (receipts * permille) / 1_000n;
        const borrowedAmountWads = (lent * 10n ** 18n) / 7n;
        const reserve = {
          ...rest,
          liquidity: { ...liquidity, mintDecimals: decimals, availableAmount: available, borrowedAmountWads },
          collateral: { ...collateral, mintTotalSupply: receipts },
        };
        const view = SOLEND_RESERVE.view(Uint8Array.from(solendReserveLayout.encode(reserve)));
        expect(orEnd(() => solendTokensCounted(reserve, amount))).toBe(
          orEnd(() => tokensFor(solendSupplies(view), amount)),
        );
      }),
    );
  });
});

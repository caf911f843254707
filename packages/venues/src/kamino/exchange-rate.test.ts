import { formatFraction } from '@lending/domain';
import { describe, expect, it } from 'vitest';
import {
  cTokenRateOf,
  cTokensOfLiquidity,
  exchangeRateOf,
  liquidityForCTokens,
  liquidityOfCTokens,
  totalSupplySf,
} from './exchange-rate.ts';
import { madeReserve } from './testing/made-reserve.ts';

describe('exchangeRateOf', () => {
  it('gives vectors K1 and P1: more than one token for a seasoned receipt', () => {
    expect(formatFraction(exchangeRateOf(madeReserve()) ?? 0n)).toMatch(/^1\.162232849488237/);
  });

  it('is one to one where there are no receipts', () => {
    expect(exchangeRateOf(madeReserve({ collateral: { mintTotalSupply: 0n } }))).toBe(10n ** 18n);
  });

  it('refuses fees beyond what there is', () => {
    expect(() => totalSupplySf(madeReserve({ liquidity: { accumulatedReferrerFeesSf: 1n << 110n } }))).toThrow(
      expect.objectContaining({ code: 'DECODE__VALUE_OUT_OF_RANGE' }),
    );
  });
});

describe('a deposit and its withdrawal', () => {
  const rate = cTokenRateOf(madeReserve());

  it('mints whole receipts, takes what they cost, and pays back no more', () => {
    const minted = cTokensOfLiquidity(rate, 1_000_000n);
    expect(minted).toBe(860_412n);
    expect(liquidityForCTokens(rate, minted)).toBe(1_000_000n);
    expect(liquidityOfCTokens(rate, minted)).toBe(999_999n);
  });

  it('takes a whole unit for the least part of one', () => {
    expect(liquidityForCTokens({ liquiditySf: (2n << 60n) + 1n, cTokens: 2n }, 1n)).toBe(2n);
  });

  it('takes nothing that would mint nothing', () => {
    expect(cTokensOfLiquidity(rate, 1n)).toBe(0n);
    expect(liquidityForCTokens(rate, 0n)).toBe(0n);
  });
});

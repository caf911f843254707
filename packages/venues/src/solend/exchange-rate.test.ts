import { describe, expect, it } from 'vitest';
import { exchangeRateOf, receiptsPerToken, totalSupplyWads } from './exchange-rate.ts';
import { madeReserve } from './testing/made-reserve.ts';
import { WAD } from './wads.ts';

describe('exchangeRateOf', () => {
  it('gives the supply and the rate of vector S1', () => {
    expect(totalSupplyWads(madeReserve()) / WAD).toBe(99_950_000_000_000n);
    expect(exchangeRateOf(madeReserve())).toBe(1_110_555_555_555_555_555n);
  });

  it('is one where there are no receipts or no tokens', () => {
    const none = madeReserve({ collateral: { mintTotalSupply: 0n } });
    const empty = madeReserve({
      liquidity: { availableAmount: 0n, borrowedAmountWads: 0n },
      accumulatedProtocolFeesWads: 0n,
    });
    for (const reserve of [none, empty]) {
      expect(exchangeRateOf(reserve)).toBe(WAD);
      expect(receiptsPerToken(reserve)).toBe(WAD);
    }
  });
});

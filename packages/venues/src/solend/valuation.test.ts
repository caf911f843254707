import { describe, expect, it } from 'vitest';
import { madeReserve } from './testing/made-reserve.ts';
import { amountOfValue, borrowWeight, lowerPrice, upperPrice, valueAt } from './valuation.ts';
import { WAD } from './wads.ts';

const reserve = madeReserve({ smoothedMarketPrice: 2n * WAD, liquidityExtraMarketPrice: 5n * WAD });
const withExtra = { ...reserve, liquidityExtraMarketPriceFlag: 1 };

describe('valuation of a reserve', () => {
  it('bounds the price by the average, and by a third where there is one', () => {
    expect([lowerPrice(reserve), upperPrice(reserve)]).toEqual([WAD, 2n * WAD]);
    expect([lowerPrice(withExtra), upperPrice(withExtra)]).toEqual([WAD, 5n * WAD]);
    const cheap = { ...withExtra, liquidityExtraMarketPrice: WAD / 2n };
    expect([lowerPrice(cheap), upperPrice(cheap)]).toEqual([WAD / 2n, 2n * WAD]);
  });

  it('values whole tokens, and buys at the higher price', () => {
    expect(valueAt(3n * WAD, 2_000_000n * WAD, reserve)).toBe(6n * WAD);
    expect(amountOfValue(6n * WAD, reserve)).toBe(3_000_000n * WAD);
  });

  it('weighs a debt at one and what is added', () => {
    expect(borrowWeight(reserve)).toBe(WAD);
    expect(borrowWeight({ ...reserve, addedBorrowWeightBps: 2_500n })).toBe((5n * WAD) / 4n);
  });
});

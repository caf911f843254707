import { describe, expect, it } from 'vitest';
import { usd } from '../testing/made-banks.ts';
import { type LiquidityInputs, liquidityOf } from './liquidity.ts';

const easy: LiquidityInputs = {
  supplyLiquidityUsd: usd(10_000_000),
  entryBps: 0,
};
const liquidity = (inputs: Partial<LiquidityInputs>) => liquidityOf({ ...easy, ...inputs });

describe('liquidityOf', () => {
  it('is all of it where plenty leaves at no cost', () => {
    expect(liquidity({})).toBe(1);
    expect(liquidity({ entryBps: -20 })).toBe(1);
  });

  it('counts what can leave by factors of ten', () => {
    expect(liquidity({ supplyLiquidityUsd: usd(10_000) })).toBeCloseTo(0.5 + 0.5 * 0.4, 9);
    expect(liquidity({ supplyLiquidityUsd: 0n })).toBe(0.5);
  });

  it('halves the ease of the way at fifty basis points', () => {
    expect(liquidity({ entryBps: 50 })).toBe(0.75);
  });

  it('finds no ease in what is unknown', () => {
    expect(liquidity({ supplyLiquidityUsd: null })).toBe(0.5);
    expect(liquidity({ entryBps: null })).toBe(0.5);
  });
});

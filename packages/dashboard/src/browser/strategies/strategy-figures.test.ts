import { describe, expect, it } from 'vitest';
import { breakEven, dropToLiquidation, entryCost } from './strategy-figures.ts';
import type { WireStrategy } from './wire-strategies.ts';

const strategy = (cost: object, netApy = 10, drop: number | null = 25) =>
  ({
    cost,
    rates: { net_apy_at_recommended_leverage_pct: netApy },
    liquidation: { price_ratio_drop_pct: drop },
    borrow: { symbol: 'USDC' },
  }) as unknown as WireStrategy;

describe('what getting in costs', () => {
  it('is unknown, with the reason, while the swap was not quoted', () => {
    const unquoted = strategy({ entry_bps: null, break_even_days: null });
    expect(entryCost(unquoted)).toEqual({ text: '–', title: expect.stringContaining('not quoted') });
    expect(breakEven(unquoted)).toEqual({ text: '–', title: expect.stringContaining('not quoted') });
  });

  it('is never paid for where nothing is earned, which is known', () => {
    expect(breakEven(strategy({ entry_bps: 12, break_even_days: null }, -1)).text).toBe('never');
    expect(breakEven(strategy({ entry_bps: null, break_even_days: null }, 0)).text).toBe('never');
  });

  it('is shown with its digits', () => {
    expect(entryCost(strategy({ entry_bps: 0 })).text).toBe('0.0 bps');
    expect(entryCost(strategy({ entry_bps: 3.456 })).text).toBe('3.46 bps');
    expect(entryCost(strategy({ entry_bps: -283.29 })).text).toBe('−283.3 bps');
    expect(breakEven(strategy({ entry_bps: -283.29, break_even_days: 0 })).text).toBe('at once');
    expect(breakEven(strategy({ entry_bps: 1, break_even_days: 0.3 })).text).toBe('< 1 day');
    expect(breakEven(strategy({ entry_bps: 1, break_even_days: 12.6 })).text).toBe('13 days');
  });
});

describe('dropToLiquidation', () => {
  it('is a fall, or none without debt', () => {
    expect(dropToLiquidation(strategy({})).text).toBe('−25.00%');
    expect(dropToLiquidation(strategy({}, 10, null)).text).toBe('none');
  });
});

import { describe, expect, it } from 'vitest';
import { scorePointsOf } from './score-points.ts';
import { breakEven, dropToLiquidation, entryCost } from './strategy-figures.ts';
import { isFiltered, readQuestion, strategiesPath } from './strategy-question.ts';
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

const read = (search: string) => readQuestion((name) => new URLSearchParams(search).get(name));

describe('readQuestion', () => {
  it('begins with all pairs, by score', () => {
    const question = read('');
    expect(question).toEqual({ kind: '', venue: '', supply: '', borrow: '', order: 'score' });
    expect(isFiltered(question)).toBe(false);
  });

  it('leaves out what it does not know, so that a link of another version opens', () => {
    expect(read('kind=moon&venue=Nowhere&order=__proto__&more=1')).toEqual(read(''));
  });

  it('takes any symbol: whether there is one is the answer', () => {
    expect(read('supply=%20%3Cb%3E%20')).toMatchObject({ supply: '<b>' });
    expect(isFiltered(read('borrow=USDC'))).toBe(true);
  });
});

describe('strategiesPath', () => {
  it('asks for the default order by saying nothing', () => {
    expect(strategiesPath(read(''))).toBe('/v1/strategies?limit=25');
  });

  it('asks with every filter, encoded', () => {
    expect(strategiesPath(read('kind=stable&venue=P0&supply=a%26b&borrow=USDC&order=max_leverage'))).toBe(
      '/v1/strategies?kind=stable&venue=P0&supply_symbol=a%26b&borrow_symbol=USDC&sort=max_leverage&limit=25',
    );
  });
});

const parts = { carry: 0.4, stability: 0.5, capacity: 1, liquidity: 0.25, penalty: 0.1 };
const scored = (score: number, version = 2) =>
  ({ score, score_parts: parts, score_version: version }) as unknown as WireStrategy;

describe('scorePointsOf', () => {
  it('gives each part its points, and the penalty what it takes', () => {
    const points = scorePointsOf(scored(22.05));
    expect(points?.base).toBe(0);
    expect(points?.merits.carry.points).toBeCloseTo(7, 9);
    expect(points?.merits.capacity).toEqual({ points: 7.5, of: 7.5 });
    expect(points?.penaltyPoints).toBeCloseTo(2.45, 9);
  });

  it('begins in the upper half where the score lies there', () => {
    expect(scorePointsOf(scored(72.05))).toEqual({ ...scorePointsOf(scored(22.05)), base: 50 });
  });

  it('gives none where they do not add up to the score', () => {
    expect([scorePointsOf(scored(22.15)), scorePointsOf(scored(72.15))]).toEqual([null, null]);
  });

  it('gives none for a version it does not know', () => {
    expect(scorePointsOf(scored(22.05, 1))).toBeNull();
  });
});

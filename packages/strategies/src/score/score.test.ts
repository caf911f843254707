import { describe, expect, it } from 'vitest';
import { SCORE_WEIGHTS, scoreOf } from './score.ts';

const badMonth = { pct: 5, isAssumed: true };
const all = { carry: 1, stability: 1, capacity: 1, liquidity: 1, penalty: 0, badMonth };

describe('scoreOf', () => {
  it('goes from 0 to 100', () => {
    expect(scoreOf(all, true)).toBeCloseTo(100, 12);
    expect(scoreOf({ carry: 0, stability: 0, capacity: 0, liquidity: 0, penalty: 0, badMonth }, false)).toBe(0);
  });

  it('has what stands first in the upper half, and all else in the lower', () => {
    expect([scoreOf({ ...all, penalty: 1 }, true), scoreOf(all, false)]).toEqual([50, 50]);
  });

  it('weighs its parts and takes the penalty off', () => {
    const parts = { carry: 0.5, stability: 0.4, capacity: 0.8, liquidity: 0.1, penalty: 0.2, badMonth };
    // 0.175 + 0.12 + 0.12 + 0.02 = 0.435, of which four fifths stay: half of 34.8.
    expect(scoreOf(parts, false)).toBeCloseTo(17.4, 12);
    expect(scoreOf(parts, true)).toBeCloseTo(67.4, 12);
  });

  it('has weights that add up to 1', () => {
    expect(Object.values(SCORE_WEIGHTS).reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12);
  });
});

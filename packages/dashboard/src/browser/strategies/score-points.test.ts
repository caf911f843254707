import { describe, expect, it } from 'vitest';
import { scorePointsOf } from './score-points.ts';
import type { WireStrategy } from './wire-strategies.ts';

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

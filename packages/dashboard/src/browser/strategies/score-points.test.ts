import { describe, expect, it } from 'vitest';
import { scorePointsOf } from './score-points.ts';
import type { WireStrategy } from './wire-strategies.ts';

const parts = { carry: 0.4, stability: 0.5, capacity: 1, liquidity: 0.25, penalty: 0.1 };
const scored = (score: number, version = 1) =>
  ({ score, score_parts: parts, score_version: version }) as unknown as WireStrategy;

describe('scorePointsOf', () => {
  it('gives each part its points, and the penalty what it takes', () => {
    const points = scorePointsOf(scored(44.1));
    expect(points?.merits.carry.points).toBeCloseTo(14, 9);
    expect(points?.merits.capacity).toEqual({ points: 15, of: 15 });
    expect(points?.penaltyPoints).toBeCloseTo(4.9, 9);
  });

  it('gives none where they do not add up to the score', () => {
    expect(scorePointsOf(scored(44.2))).toBeNull();
  });

  it('gives none for a version it does not know', () => {
    expect(scorePointsOf(scored(44.1, 2))).toBeNull();
  });
});

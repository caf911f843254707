import { describe, expect, it } from 'vitest';
import { HEALTH_BANDS, placeOnScale } from './health-scale.ts';

describe('placeOnScale', () => {
  it('puts each line between its bands', () => {
    expect([1, 1.1, 1.25, 2].map(placeOnScale)).toEqual(HEALTH_BANDS.slice(0, -1).map(({ end }) => end));
  });

  it('moves right as health grows, and never leaves the scale', () => {
    const places = [-3, 0, 0.5, 0.7, 0.99, 1, 1.05, 1.2, 1.5, 1.99, 3, 4, 900].map(placeOnScale);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect([places[0], places.at(-1)]).toEqual([0, 1]);
  });

  it('puts an account without debt at the far end', () => {
    expect(placeOnScale(null)).toBe(1);
  });
});

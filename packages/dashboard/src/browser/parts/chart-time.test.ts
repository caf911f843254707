import { describe, expect, it } from 'vitest';
import { timeExtent, timeTicks } from './chart-time.ts';

/** Of the reader's zone, whichever that is here. */
const at = (...parts: [number, number, number, number?, number?]) => new Date(...parts).getTime() / 1000;

describe('timeTicks', () => {
  it('says the hour, and the day where one begins', () => {
    const [before, midnight] = timeTicks([at(2026, 10, 21, 18), at(2026, 10, 22)], 6 * 3_600);
    expect(before).toBe('18:00');
    expect(midnight).toMatch(/22/);
    expect(midnight).not.toMatch(/:/);
  });

  it('says days and months where steps are as long', () => {
    expect(timeTicks([at(2026, 10, 22, 3)], 86_400)[0]).not.toMatch(/:/);
    expect(timeTicks([at(2026, 10, 1)], 30 * 86_400)[0]).toMatch(/2026/);
  });
});

describe('timeExtent', () => {
  it('is what was sampled, and an hour around a single sample', () => {
    expect(timeExtent([60, 120, 300])).toEqual([60, 300]);
    expect(timeExtent([3_600])).toEqual([1_800, 5_400]);
  });
});

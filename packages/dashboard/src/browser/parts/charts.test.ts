import { describe, expect, it } from 'vitest';
import { formatPct } from '../format/number.ts';
import { type ChartLine, lonePlaces } from './chart-line.ts';
import { boundsOutside, scaleOf } from './chart-scale.ts';
import { summariseChart } from './chart-summary.ts';
import { timeExtent, timeTicks } from './chart-time.ts';
import { sparklineShape } from './sparkline.ts';

const line = (values: readonly (number | null)[], more: Partial<ChartLine> = {}): ChartLine => ({
  key: 'x',
  label: 'X',
  colour: 1,
  values,
  ...more,
});

describe('scaleOf', () => {
  it('begins rates and amounts at nothing, or below where values are', () => {
    expect(scaleOf('rate', [line([3, null, 4])])).toEqual([0, 4.32]);
    const [low, high] = scaleOf('rate', [line([-1, 1])]);
    expect(low).toBeLessThan(-1);
    expect(high).toBeGreaterThan(1);
  });

  it('shows the whole of a share, and more where there is more', () => {
    expect(scaleOf('share', [line([65])])).toEqual([0, 100]);
    expect(scaleOf('share', [line([104])])).toEqual([0, 104]);
  });

  it('does not make a move of a price that only trembled', () => {
    const [low, high] = scaleOf('price', [line([1, 1.0001])]);
    expect(high - low).toBeCloseTo(0.0116, 4);
    const [from, to] = scaleOf('price', [line([100, 200])]);
    expect([from, to]).toEqual([92, 208]);
  });

  it('shows a bound that is near, and says which is far', () => {
    const amounts = line([10]);
    const near = line([null, 20], { isBound: true, label: 'Near' });
    const far = line([400], { isBound: true, label: 'Far' });
    const range = scaleOf('amount', [amounts, near, far]);
    expect(range[1]).toBeCloseTo(21.6);
    expect(boundsOutside([amounts, near, far], range).map(({ label }) => label)).toEqual(['Far']);
  });

  it.each(['rate', 'share', 'amount', 'price'] as const)(
    'has a %s range where nothing is known or all is zero',
    (kind) => {
      for (const values of [[null], [0, 0]]) {
        const [low, high] = scaleOf(kind, [line(values)]);
        expect(high).toBeGreaterThan(low);
      }
    },
  );
});

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

describe('chart summary', () => {
  const line = (values: readonly (number | null)[]): ChartLine => ({ key: 'x', label: 'Deposit', colour: 1, values });

  describe('summariseChart', () => {
    it.each([
      [[1, 3, 2], 'Deposit: newest 2.00%, between 1.00% and 3.00%.'],
      [[2, null, 2, null], 'Deposit: newest 2.00%, unknown at 2 of 4 times.'],
      [[null, null], 'Deposit: unknown.'],
      [[], 'Deposit: unknown.'],
    ])('says of %j: %s', (values, words) => {
      expect(summariseChart([line(values)], formatPct)).toBe(words);
    });
  });

  describe('lonePlaces', () => {
    it('finds what has no neighbour', () => {
      expect(lonePlaces([1, null, 2, 3, null, undefined, 4])).toEqual([0, 6]);
      expect(lonePlaces([1, 2])).toEqual([]);
    });
  });
});

describe('sparklineShape', () => {
  it('runs from the lowest at the bottom to the highest at the top', () => {
    expect(sparklineShape([1, 2, 3])).toEqual({ path: 'M3 25L48 14L93 3', dots: [] });
  });

  it('breaks at what is not known, and carries nothing across', () => {
    expect(sparklineShape([1, 3, null, 3, 1]).path.match(/M/g)).toHaveLength(2);
  });

  it('shows a value without neighbours as a dot', () => {
    expect(sparklineShape([null, 4, null])).toEqual({ path: '', dots: [[48, 14]] });
  });

  it('draws what does not change through the middle', () => {
    expect(sparklineShape([5, 5])).toEqual({ path: 'M3 14L93 14', dots: [] });
  });

  it('draws nothing of nothing', () => {
    expect(sparklineShape([])).toEqual({ path: '', dots: [] });
    expect(sparklineShape([null, null])).toEqual({ path: '', dots: [] });
  });
});

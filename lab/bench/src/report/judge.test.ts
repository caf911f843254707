import { describe, expect, it } from 'vitest';
import { judge, mergeFigures } from './judge.ts';
import { type Bound, type Figure, figure, once } from './result.ts';

function measured(ours: number, bound: Bound | null, ratio: number | null = null): Figure {
  return figure({
    goal: null,
    what: 'a thing',
    unit: 'ms',
    ours: once(ours),
    ratio: ratio === null ? null : once(ratio),
    bound,
  });
}

describe('judge', () => {
  it('judges nothing without a bound', () => {
    expect(judge(measured(1, null))).toBeNull();
  });

  it.each([
    ['atLeast', 0.79, false],
    ['atLeast', 0.8, true],
    ['atLeast', 0.81, true],
    ['atMost', 0.79, true],
    ['atMost', 0.8, true],
    ['atMost', 0.81, false],
    ['moreThan', 0.8, false],
    ['moreThan', 0.81, true],
  ] as const)('holds %s 0.8 against %d: %s', (is, value, isReached) => {
    expect(judge(measured(value, { of: 'ours', is, value: 0.8 }))).toMatchObject({ isReached });
    expect(judge(measured(5, { of: 'ratio', is, value: 0.8 }, value))).toMatchObject({ isReached });
  });

  it('tells by what share of the goal a figure misses it, whichever way it has to go', () => {
    expect(judge(measured(12, { of: 'ours', is: 'atMost', value: 10 }))?.missedBy).toBeCloseTo(0.2);
    expect(judge(measured(8, { of: 'ours', is: 'atLeast', value: 10 }))?.missedBy).toBeCloseTo(0.2);
    expect(judge(measured(8, { of: 'ours', is: 'atMost', value: 10 }))?.missedBy).toBeCloseTo(-0.2);
  });

  it('judges medians', () => {
    const spread = { median: 9, low: 1, high: 100 };
    expect(judge({ ...measured(0, { of: 'ours', is: 'atMost', value: 10 }), ours: spread })?.isReached).toBe(true);
  });

  it('calls missed what was not measured', () => {
    const none = { of: 'ratio', is: 'atMost', value: 1.5 } as const;
    expect(judge(measured(1, none))).toEqual({ isReached: false, missedBy: Number.NaN });
    expect(judge(measured(Number.NaN, { ...none, of: 'ours' }))?.isReached).toBe(false);
    // As it comes back from a file, where NaN is null.
    const kept = JSON.parse(JSON.stringify(measured(Number.NaN, { ...none, of: 'ours' }))) as Figure;
    expect(judge(kept)?.isReached).toBe(false);
  });
});

describe('mergeFigures', () => {
  it('takes the median of medians, and the extremes of all', () => {
    const run = (median: number) => [
      {
        ...measured(0, null),
        ours: { median, low: median - 5, high: median + 5 },
        ratio: { median: median / 10, low: 0, high: 9 },
      },
    ];
    expect(mergeFigures([run(30), run(10), run(20)])).toMatchObject([
      { ours: { median: 20, low: 5, high: 35 }, ratio: { median: 2, low: 0, high: 9 }, yardstick: null },
    ]);
  });

  it('keeps apart what has another name or goal', () => {
    const one = measured(1, null);
    const merged = mergeFigures([[one, { ...one, what: 'another' }, { ...one, goal: 'banks' }], [one]]);
    expect(merged).toHaveLength(3);
  });

  it('takes the worse of two runs for the median of both', () => {
    const runs = [
      [measured(1, { of: 'ours', is: 'atMost', value: 9 })],
      [measured(3, { of: 'ours', is: 'atMost', value: 9 })],
    ];
    expect(mergeFigures(runs)[0]?.ours.median).toBe(3);
    const rates = [
      [measured(1, { of: 'ours', is: 'atLeast', value: 9 })],
      [measured(3, { of: 'ours', is: 'atLeast', value: 9 })],
    ];
    expect(mergeFigures(rates)[0]?.ours.median).toBe(1);
  });

  it.each([
    ['as it is', (figures: readonly Figure[]) => figures],
    ['as it was printed', (figures: readonly Figure[]) => JSON.parse(JSON.stringify(figures)) as Figure[]],
  ])('is not made better by a run that could not be measured, %s', (_, told) => {
    const bound = { of: 'ours', is: 'atMost', value: 9 } as const;
    const runs = [Number.NaN, 1, 2, 3].map((ours) => told([measured(ours, bound)]));
    for (const order of [runs, runs.toReversed()]) {
      expect(judge(mergeFigures(order)[0] as Figure)).toEqual({ isReached: false, missedBy: Number.NaN });
    }
  });
});

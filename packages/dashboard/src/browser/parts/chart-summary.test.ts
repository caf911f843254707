import { describe, expect, it } from 'vitest';
import { formatPct } from '../format/number.ts';
import { type ChartLine, lonePlaces } from './chart-line.ts';
import { summariseChart } from './chart-summary.ts';

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

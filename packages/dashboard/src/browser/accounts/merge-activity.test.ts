import { describe, expect, it } from 'vitest';
import { mergeActivity } from './merge-activity.ts';
import type { WireActivity } from './wire-account.ts';

const entry = (id: string, slot: number, finality = 'finalized') => ({ id, slot, finality }) as WireActivity;

describe('mergeActivity', () => {
  it('puts what was told among what was answered, newest first', () => {
    const merged = mergeActivity([entry('c', 9), entry('b', 5)], [entry('d', 7), entry('a', 1)], 10);
    expect(merged.map(({ id }) => id)).toEqual(['c', 'd', 'b', 'a']);
  });

  it('keeps the newer word on what stands in both', () => {
    const merged = mergeActivity([entry('a', 3)], [entry('a', 3, 'confirmed'), entry('b', 2)], 10);
    expect(merged).toEqual([entry('a', 3), entry('b', 2)]);
  });

  it('shows no more than the most', () => {
    expect(mergeActivity([entry('c', 3)], [entry('b', 2), entry('a', 1)], 2)).toHaveLength(2);
  });
});

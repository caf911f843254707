import { describe, expect, it } from 'vitest';
import { HEALTH_BANDS, placeOnScale } from './health-scale.ts';
import { isAddress } from './is-address.ts';
import { mergeActivity } from './merge-activity.ts';
import type { WireActivity } from './wire-account.ts';

describe('isAddress', () => {
  it.each([
    '4qp6Fx6tnZkY5Wropq9wUYgtFxXKwE6viZxFHg3rdAG8',
    '11111111111111111111111111111111',
    'So11111111111111111111111111111111111111112',
  ])('takes %s', (text) => {
    expect(isAddress(text)).toBe(true);
  });

  it.each([
    ['', 'nothing'],
    ['4qp6Fx6tnZkY5Wropq9wUYgtFxXKwE6viZxFHg3rdAG', 'a digit too few'],
    ['4qp6Fx6tnZkY5Wropq9wUYgtFxXKwE6viZxFHg3rdAG88', 'a digit too many'],
    ['0qp6Fx6tnZkY5Wropq9wUYgtFxXKwE6viZxFHg3rdAG8', 'a digit that base58 has not'],
    ['zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz', 'more than 32 bytes'],
    ['111111111111111111111111111111111', '33 bytes of zero'],
  ])('refuses %s: %s', (text) => {
    expect(isAddress(text)).toBe(false);
  });
});

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

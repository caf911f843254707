import { describe, expect, it } from 'vitest';
import { formatRatio } from './ratio.ts';

describe('formatRatio', () => {
  it.each([
    [null, '–'],
    [0.9684757, '0.968'],
    [1.0004, '1.000'],
    [1.3936, '1.394'],
    [2.346, '2.35'],
    [31.26, '31.3'],
    [4_000, '> 100'],
  ])('shows %s as %s', (ratio, text) => {
    expect(formatRatio(ratio)).toBe(text);
  });
});

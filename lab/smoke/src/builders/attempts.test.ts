import { describe, expect, it } from 'vitest';
import { amountText } from './attempts.ts';

describe('amountText', () => {
  it.each([
    [250, 0.1, 9, '25.000000'],
    [0.000_019, 0.5, 9, '0.000009'],
    [1_234.567, 1, 2, '1234.56'],
    [7, 0.5, 0, '3'],
  ])('takes of %s the part %s with %s decimals: %s', (amount, part, decimals, text) => {
    expect(amountText(amount, part, decimals)).toBe(text);
  });

  it.each([null, undefined, 0, 1e-9, Number.NaN, Infinity, 1e16])('takes nothing of %s', (amount) => {
    expect(amountText(amount, 0.5, 6)).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import {
  addWads,
  ceilWads,
  divideRates,
  divideWads,
  floorWads,
  multiplyRates,
  multiplyWads,
  roundWads,
  subtractWads,
  toRate,
  WAD,
} from './wads.ts';

const U64_MAX = 2n ** 64n - 1n;
const U128_MAX = 2n ** 128n - 1n;
const U192_MAX = 2n ** 192n - 1n;
const overflow = expect.objectContaining({ code: 'DECODE__VALUE_OUT_OF_RANGE' });

describe('arithmetic in wads', () => {
  it('rounds products and quotients down', () => {
    expect(multiplyWads(3n, WAD / 2n)).toBe(1n);
    expect(divideWads(2n, 3n * WAD)).toBe(0n);
    expect(multiplyRates(5n, WAD / 2n)).toBe(2n);
    expect(divideRates(WAD, 3n * WAD)).toBe(333_333_333_333_333_333n);
  });

  it.each([
    ['floor', floorWads, [0n, 0n, 0n, 1n]],
    ['ceil', ceilWads, [0n, 1n, 1n, 1n]],
    ['round', roundWads, [0n, 0n, 1n, 1n]],
  ])('takes whole units by their %s', (_name, whole, expected) => {
    expect([0n, 1n, WAD / 2n, WAD].map(whole)).toEqual(expected);
  });

  it.each([
    ['a sum', () => addWads(U192_MAX, 0n), () => addWads(U192_MAX, 1n)],
    ['a difference', () => subtractWads(5n, 5n), () => subtractWads(5n, 6n)],
    ['a product', () => multiplyWads(U192_MAX, 1n), () => multiplyWads(2n ** 96n, 2n ** 96n)],
    ['a dividend', () => divideWads(U192_MAX / WAD, 1n), () => divideWads(U192_MAX / WAD + 1n, 1n)],
    ['a divisor', () => divideWads(1n, 1n), () => divideWads(1n, 0n)],
    ['a rate', () => toRate(U128_MAX), () => toRate(U128_MAX + 1n)],
    ['a product of rates', () => multiplyRates(U128_MAX, 1n), () => multiplyRates(2n ** 64n, 2n ** 64n)],
    ['a quotient of rates', () => divideRates(U128_MAX / WAD, 1n), () => divideRates(U128_MAX / WAD + 1n, 1n)],
    ['a number of units', () => floorWads(U64_MAX * WAD), () => floorWads((U64_MAX + 1n) * WAD)],
  ])('ends where the program’s integers end: %s', (_what, last, beyond) => {
    expect(last).not.toThrow();
    expect(beyond).toThrow(overflow);
  });
});

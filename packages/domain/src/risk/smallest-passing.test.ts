import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { smallestPassing } from './smallest-passing.ts';

describe('smallestPassing', () => {
  const number = fc.bigInt(0n, 10_000n);

  it('finds the line from any guess, or says there is none', () => {
    fc.assert(
      fc.property(number, number, number, (line, guess, max) => {
        expect(smallestPassing(guess, max, (value) => value >= line)).toBe(line <= max ? line : null);
      }),
    );
  });

  it('takes a handful of tries near a good guess', () => {
    let tries = 0;
    const line = 10n ** 18n;
    const passes = (value: bigint) => {
      tries++;
      return value >= line;
    };
    expect(smallestPassing(line - 1n, 2n ** 64n, passes)).toBe(line);
    expect(tries).toBeLessThanOrEqual(6);
  });
});

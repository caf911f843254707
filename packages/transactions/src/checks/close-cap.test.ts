import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { partsOf } from './close-cap.ts';

describe('partsOf', () => {
  it('leaves what one call repays whole, and halves a unit more', () => {
    expect(partsOf(250_000n, 250_000n)).toEqual([250_000n]);
    expect(partsOf(250_001n, 250_000n)).toEqual([125_000n, 125_001n]);
    expect(partsOf(700_000n, 250_000n)).toEqual([233_333n, 233_333n, 233_334n]);
  });

  it('knows none where a call repays nothing', () => {
    expect(partsOf(5n, 0n)).toEqual([]);
  });

  it('adds up to the debt in parts that a price two percent higher still lets pass', () => {
    const amounts = fc.tuple(fc.bigInt(10n ** 6n, 10n ** 12n), fc.bigInt(1_001n, 900_000n));
    fc.assert(
      fc.property(amounts, ([max, thousandths]) => {
        const repaid = (max * thousandths) / 1_000n;
        const parts = partsOf(repaid, max);
        expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(repaid);
        // The last one takes what the division leaves, less than a unit of each.
        for (const part of parts) expect(part).toBeLessThanOrEqual((max * 98n) / 100n + BigInt(parts.length));
      }),
    );
  });
});

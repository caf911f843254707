import { fromUiAmount } from '@lending/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shownAmount, shownAtLeast } from './shown-amount.ts';

describe('shownAmount', () => {
  it('is exact up to fifteen digits, and rounded down beyond', () => {
    expect(shownAmount(1_234_567_890_123_45n, 6)).toEqual({ ui: 123456789.012345, raw: '123456789012345' });
    expect(shownAmount(9_999_999_999_999_999n, 9)).toEqual({ ui: 9999999.99999999, raw: '9999999999999999' });
    expect(shownAmount(0n, 9)).toEqual({ ui: 0, raw: '0' });
  });

  it('reads back as an amount that is no more, in every size and with any decimals', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.integer({ min: 0, max: 12 }), (base, decimals) => {
        const { ui } = shownAmount(base, decimals);
        const shortest = ui.toString();
        const read = fromUiAmount(shortest.includes('e') ? ui.toFixed(decimals) : shortest, decimals);
        expect(read).toBeLessThanOrEqual(base);
        expect(base - read).toBeLessThan(base / 10n ** 14n + 1n);
      }),
    );
  });
});

describe('shownAtLeast', () => {
  it('is never less than the amount, and exact where it can be', () => {
    expect(shownAtLeast(1_234_567n, 6)).toEqual({ ui: 1.234567, raw: '1234567' });
    expect(shownAtLeast(1_234_567_890_123_456_789n, 9)).toEqual({
      ui: 1_234_567_890.12346,
      raw: '1234567890123456789',
    });
  });
});

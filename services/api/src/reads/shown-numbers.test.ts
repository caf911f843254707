import { formatI80F48, parseI80F48, toUiAmount, utilizationFromU32 } from '@lending/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shownConfigured } from './shown-numbers.ts';

const U32_MAX = 2n ** 32n - 1n;

describe('shownConfigured', () => {
  // As they stand in accounts of mainnet.
  it.each([
    ['0.55000000000000071054273576010018587112426757812', 0.55],
    ['0.64999999999999857891452847979962825775146484375', 0.65],
    ['0.82000000000000028421709430404007434844970703125', 0.82],
    ['1', 1],
    ['0', 0],
  ])('shows %s as %d', (kept, shown) => {
    expect(shownConfigured(kept)).toBe(shown);
  });

  it('shows what was configured, however that was rounded to 48 bits', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 15n }),
        fc.constantFrom('floor' as const, 'round' as const, 'ceil' as const),
        (value, rounding) => {
          const kept = formatI80F48(parseI80F48(toUiAmount(value, 14), rounding));
          expect(shownConfigured(kept)).toBe(Number(toUiAmount(value, 14)));
          expect(shownConfigured(kept, 'pct')).toBe(Number(toUiAmount(value, 12)));
          expect(shownConfigured(kept, 'bps')).toBe(Number(toUiAmount(value, 10)));
        },
      ),
    );
  });

  it('shows what was configured as a part of u32::MAX', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 9n }), fc.boolean(), (value, up) => {
        const part = (value * U32_MAX + (up ? 10n ** 9n - 1n : 0n)) / 10n ** 9n;
        const kept = formatI80F48(utilizationFromU32(Number(part)));
        expect(shownConfigured(kept, 'pct', 'u32')).toBe(Number(toUiAmount(value, 7)));
      }),
    );
  });
});

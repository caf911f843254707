import { describe, expect, it } from 'vitest';
import { ratioOf, readScaled, toBaseText } from './decimal-text.ts';

const ONE = 10n ** 18n;

describe('readScaled', () => {
  it.each([
    ['306196167.2915367365311537241315004848063', 306196167291536736531153724n],
    [0.0275, 27_500_000_000_000_000n],
    [1.5e-7, 150_000_000_000n],
    ['-2', -2n * ONE],
    [1e21, 1_000n * ONE * ONE],
    [0, 0n],
  ])('reads %s', (value, scaled) => {
    expect(readScaled(value)).toBe(scaled);
  });

  it.each([null, undefined, '', 'NaN', 'Infinity', Number.NaN, '1,000', '0x10', '1e9999'])(
    'knows nothing of %s',
    (value) => {
      expect(readScaled(value)).toBeNull();
    },
  );
});

describe('toBaseText', () => {
  it('rounds down and has nothing for a negative amount', () => {
    expect(toBaseText(1_999_999_999_999_999_999n, 6)).toBe('1999999');
    expect(toBaseText(-1n, 6)).toBeNull();
    expect(toBaseText(null, 6)).toBeNull();
  });
});

describe('ratioOf', () => {
  it('divides, and knows nothing where it cannot', () => {
    expect(ratioOf(ONE, 3n * ONE)).toBe(333_333_333_333_333_333n);
    expect(ratioOf(ONE, 0n)).toBeNull();
    expect(ratioOf(null, ONE)).toBeNull();
  });
});

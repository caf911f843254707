import { describe, expect, it } from 'vitest';
import { breakEvenDays, entryBpsAt } from './entry-cost.ts';

describe('entryBpsAt', () => {
  it('is paid on all that is borrowed', () => {
    expect(entryBpsAt({ originationFeeBps: 10, swapBps: 4 }, 761n)).toBeCloseTo(6.61 * 14, 12);
  });

  it('is nothing at a leverage of 1, even where a swap is unknown', () => {
    expect(entryBpsAt({ originationFeeBps: 10, swapBps: null }, 100n)).toBe(0);
  });

  it('is unknown with an unknown swap', () => {
    expect(entryBpsAt({ originationFeeBps: 10, swapBps: null }, 101n)).toBeNull();
  });
});

describe('breakEvenDays', () => {
  it('takes as long as the yield needs to pay for it', () => {
    // 0.5 % at 10 % a year is a twentieth of a year.
    expect(breakEvenDays(50, 10)).toBeCloseTo(365.25 / 20, 12);
  });

  it('never comes without a yield, and is unknown with the cost', () => {
    expect([breakEvenDays(50, 0), breakEvenDays(50, -1), breakEvenDays(null, 10)]).toEqual([null, null, null]);
    expect(breakEvenDays(0, -1)).toBeNull();
  });

  it('has come where the market gave more', () => {
    expect([breakEvenDays(-3, 10), breakEvenDays(0, 10)]).toEqual([0, 0]);
  });
});

import { describe, expect, it } from 'vitest';
import { moveWindow, outflowWads, remainingOutflowWads } from './rate-limiter.ts';
import { WAD } from './wads.ts';

/** Vector S4. */
const limiter = {
  windowDuration: 216_000n,
  maxOutflow: 10_000_000_000_000n,
  previousQuantity: 4_000_000_000_000n * WAD,
  currentQuantity: 1_500_000_000_000n * WAD,
  windowStart: 400_032_000n,
};

describe('remainingOutflowWads', () => {
  it('gives what vector S4 leaves', () => {
    expect(outflowWads(limiter, 400_086_000n) / WAD).toBe(4_499_981_481_481n);
    expect(remainingOutflowWads(limiter, 400_086_000n) / WAD).toBe(5_500_018_518_518n);
  });

  it('is nothing once more has left than may', () => {
    expect(remainingOutflowWads({ ...limiter, maxOutflow: 4_000_000_000_000n }, 400_086_000n)).toBe(0n);
  });

  it('has no end without a window', () => {
    expect(remainingOutflowWads({ ...limiter, windowDuration: 0n }, 1n)).toBe((2n ** 64n - 1n) * WAD);
  });
});

describe('moveWindow', () => {
  it('keeps the window while it lasts', () => {
    expect(moveWindow(limiter, 400_247_999n)).toBe(limiter);
  });

  it('makes the window that has passed the previous one', () => {
    expect(moveWindow({ ...limiter, windowStart: 399_816_000n }, 400_032_000n)).toMatchObject({
      windowStart: 400_032_000n,
      previousQuantity: limiter.currentQuantity,
      currentQuantity: 0n,
    });
  });

  it('forgets both after a window without outflow', () => {
    expect(moveWindow({ ...limiter, windowStart: 399_600_000n }, 400_032_000n)).toMatchObject({
      windowStart: 400_032_000n,
      previousQuantity: 0n,
      currentQuantity: 0n,
    });
  });

  it('fails at a slot before the window', () => {
    expect(() => moveWindow(limiter, 400_031_999n)).toThrow();
  });
});

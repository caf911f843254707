import { describe, expect, it } from 'vitest';
import { integerToI80F48 } from '../i80f48.ts';
import { type SizeRooms, strategySize } from './strategy-size.ts';

const NO_LIMIT: SizeRooms = {
  deposit_cap: null,
  borrow_cap: null,
  liquidity: null,
  rate_limit: null,
  swap_depth: null,
};
const usd = integerToI80F48;

describe('strategySize', () => {
  it('divides deposit room by the leverage, the rest by one less', () => {
    expect(strategySize({ ...NO_LIMIT, deposit_cap: usd(900n) }, 300n)).toEqual({
      size: usd(300n),
      limitedBy: 'deposit_cap',
    });
    expect(strategySize({ ...NO_LIMIT, liquidity: usd(900n) }, 300n)).toEqual({
      size: usd(450n),
      limitedBy: 'liquidity',
    });
  });

  it('names the tightest', () => {
    const rooms = { ...NO_LIMIT, deposit_cap: usd(900n), borrow_cap: usd(500n), swap_depth: usd(550n) };
    expect(strategySize(rooms, 300n)).toEqual({ size: usd(250n), limitedBy: 'borrow_cap' });
  });

  it('needs nothing to borrow at a leverage of 1', () => {
    expect(strategySize({ ...NO_LIMIT, borrow_cap: 0n }, 100n)).toBeNull();
    expect(strategySize({ ...NO_LIMIT, borrow_cap: 0n, deposit_cap: usd(5n) }, 100n)?.size).toBe(usd(5n));
  });

  it('has no size where a room is overdrawn', () => {
    expect(strategySize({ ...NO_LIMIT, deposit_cap: -1n }, 200n)).toEqual({ size: 0n, limitedBy: 'deposit_cap' });
  });
});

import { describe, expect, it } from 'vitest';
import { statusOf } from './status.ts';
import { madeMarket, madeReserve } from './testing/made-reserve.ts';
import { WAD } from './wads.ts';

const shut = { maxOutflow: 0n, windowDuration: 1n, previousQuantity: 0n, windowStart: 0n, currentQuantity: 0n };

describe('statusOf', () => {
  it('is active between refreshes too', () => {
    const reserve = madeReserve({ lastUpdate: { slot: 1n, stale: 1 } });
    expect(statusOf(reserve, madeMarket())).toEqual({ status: 'active', reasons: [] });
  });

  it('is closed without a deposit limit, and says that nothing is lent either', () => {
    const reserve = madeReserve({ config: { depositLimit: 0n, borrowLimit: 0n } });
    expect(statusOf(reserve, madeMarket())).toEqual({
      status: 'closed',
      reasons: ['deposit_limit_zero', 'borrow_limit_zero'],
    });
  });

  it.each([
    ['borrow_limit_zero', madeReserve({ config: { borrowLimit: 0n } }), madeMarket()],
    ['unborrowable', madeReserve({ addedBorrowWeightBps: 2n ** 64n - 1n }), madeMarket()],
    ['isolated_tier', madeReserve({ reserveType: 1 }), madeMarket()],
    ['outflow_disabled', madeReserve({ rateLimiter: shut }), madeMarket()],
    ['outflow_disabled', madeReserve(), madeMarket({ rateLimiter: shut })],
    ['attributed_borrow_limit_exceeded', madeReserve({ attributedBorrowValue: 1_000_001n * WAD }), madeMarket()],
  ])('is restricted: %s', (reason, reserve, market) => {
    expect(statusOf(reserve, market)).toEqual({ status: 'restricted', reasons: [reason] });
  });

  it('does not guess what a reserve of a type it does not know allows', () => {
    expect(statusOf(madeReserve({ reserveType: 2 }), madeMarket()).status).toBe('unknown');
  });
});

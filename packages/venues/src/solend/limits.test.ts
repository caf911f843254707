import { describe, expect, it } from 'vitest';
import { limitsOf } from './limits.ts';
import { madeMarket, madeReserve } from './testing/made-reserve.ts';
import { WAD } from './wads.ts';

const SLOT = 1000n;
const MAX = 2n ** 64n - 1n;
const limiter = (maxOutflow: bigint, windowDuration = 100n) => ({
  maxOutflow,
  windowDuration,
  previousQuantity: 0n,
  windowStart: SLOT,
  currentQuantity: 0n,
});

describe('limitsOf', () => {
  it('leaves the room below both limits, the protocol’s fees not counted as deposits', () => {
    expect(limitsOf(madeReserve(), madeMarket(), SLOT)).toEqual({
      depositLimitBase: 200_000_000_000_000n,
      depositRoomBase: 100_050_000_000_000n,
      borrowLimitBase: 150_000_000_000_000n,
      borrowRoomBase: 20_000_000_000_000n,
      withdrawRoomBase: 20_000_000_000_000n,
    });
  });

  it('knows no limit where the account holds the greatest number', () => {
    const reserve = madeReserve({ config: { depositLimit: MAX, borrowLimit: MAX } });
    expect(limitsOf(reserve, madeMarket(), SLOT)).toMatchObject({
      depositLimitBase: null,
      depositRoomBase: null,
      borrowLimitBase: null,
      borrowRoomBase: 20_000_000_000_000n,
    });
  });

  it('leaves no room at or above a limit', () => {
    const reserve = madeReserve({ config: { depositLimit: 99_949_999_999_999n, borrowLimit: 80_000_000_000_000n } });
    expect(limitsOf(reserve, madeMarket(), SLOT)).toMatchObject({ depositRoomBase: 0n, borrowRoomBase: 0n });
  });

  it('lets leave what the reserve’s rate limiter lets', () => {
    const reserve = madeReserve({ rateLimiter: limiter(7_000_000n) });
    expect(limitsOf(reserve, madeMarket(), SLOT)).toMatchObject({
      borrowRoomBase: 7_000_000n,
      withdrawRoomBase: 7_000_000n,
    });
  });

  it('lets leave what the market’s rate limiter lets, in USD at the higher price', () => {
    const reserve = madeReserve({ smoothedMarketPrice: 2n * WAD });
    expect(limitsOf(reserve, madeMarket({ rateLimiter: limiter(9n) }), SLOT).withdrawRoomBase).toBe(4_500_000n);
  });

  it('counts no USD where it knows no price', () => {
    const reserve = madeReserve({ liquidity: { marketPrice: 0n }, smoothedMarketPrice: 0n });
    const { withdrawRoomBase } = limitsOf(reserve, madeMarket({ rateLimiter: limiter(9n) }), SLOT);
    expect(withdrawRoomBase).toBe(20_000_000_000_000n);
  });

  it('keeps room for the fee of a loan', () => {
    const fees = { borrowFeeWad: 1_000_000_000_000_000n, flashLoanFeeWad: 0n, hostFeePercentage: 20 };
    const reserve = madeReserve({ liquidity: { availableAmount: 1_001_000n }, config: { fees } });
    expect(limitsOf(reserve, madeMarket(), SLOT)).toMatchObject({
      borrowRoomBase: 1_000_000n,
      withdrawRoomBase: 1_001_000n,
    });
  });

  it('lends nothing that cannot pay its own least fee', () => {
    const fees = { borrowFeeWad: 1n, flashLoanFeeWad: 0n, hostFeePercentage: 20 };
    const of = (availableAmount: bigint) => madeReserve({ liquidity: { availableAmount }, config: { fees } });
    expect(limitsOf(of(4n), madeMarket(), SLOT).borrowRoomBase).toBe(0n);
    expect(limitsOf(of(5n), madeMarket(), SLOT).borrowRoomBase).toBe(3n);
  });

  it('lends nothing where a fee is all of a loan, without trying every amount', { timeout: 1_000 }, () => {
    const of = (borrowFeeWad: bigint) => {
      const fees = { borrowFeeWad, flashLoanFeeWad: 0n, hostFeePercentage: 20 };
      return limitsOf(
        madeReserve({ liquidity: { availableAmount: 30_000_000n }, config: { fees } }),
        madeMarket(),
        SLOT,
      );
    };
    expect(of(WAD - 1n).borrowRoomBase).toBe(15_000_000n);
    expect(of(WAD).borrowRoomBase).toBe(0n);
    expect(of(MAX).borrowRoomBase).toBe(0n);
  });

  it('lends nothing where debts weigh without end', () => {
    expect(limitsOf(madeReserve({ addedBorrowWeightBps: MAX }), madeMarket(), SLOT).borrowRoomBase).toBe(0n);
  });

  it('pays out nothing while more is borrowed against the reserve than it allows', () => {
    const reserve = madeReserve({ attributedBorrowValue: 1_000_000n * WAD + 1n });
    expect(limitsOf(reserve, madeMarket(), SLOT).withdrawRoomBase).toBe(0n);
  });
});

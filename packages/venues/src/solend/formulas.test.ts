import { venueApy } from '@lending/domain';
import { describe, expect, it } from 'vitest';
import { accrueReserve, compoundFactor } from './accrual.ts';
import { computeBorrowFees } from './borrow-fees.ts';
import { exchangeRateOf, receiptsPerToken, totalSupplyWads } from './exchange-rate.ts';
import { borrowRateOf, utilizationOf } from './interest-curve.ts';
import { limitsOf } from './limits.ts';
import { moveWindow, outflowWads, remainingOutflowWads } from './rate-limiter.ts';
import { ratesOf } from './rates.ts';
import { statusOf } from './status.ts';
import { madeMarket, madeReserve } from './testing/made-reserve.ts';
import { amountOfValue, borrowWeight, lowerPrice, upperPrice, valueAt } from './valuation.ts';
import {
  addWads,
  ceilWads,
  divideRates,
  divideWads,
  floorWads,
  multiplyRates,
  multiplyWads,
  roundWads,
  subtractWads,
  toRate,
  WAD,
} from './wads.ts';

describe('accrueReserve', () => {
  /** 90 million of 100 million USDC lent: 36 % by the curve. */
  const reserve = madeReserve({
    liquidity: { availableAmount: 10_000_000_000_000n, borrowedAmountWads: 90_000_000_000_000n * WAD },
    accumulatedProtocolFeesWads: 0n,
  });

  it('gives the interest and fees of vector S3', () => {
    const { liquidity, accumulatedProtocolFeesWads } = accrueReserve(reserve, 10_000n);
    const interest = liquidity.borrowedAmountWads - reserve.liquidity.borrowedAmountWads;
    expect(interest / WAD).toBe(4_623_406_408n);
    expect(accumulatedProtocolFeesWads / WAD).toBe(924_681_281n);
    expect(liquidity.cumulativeBorrowRateWads).toBe(1_000_051_371_182_316_606n);
    expect(liquidity.availableAmount).toBe(reserve.liquidity.availableAmount);
  });

  it('changes nothing at the slot of the last update', () => {
    expect(accrueReserve(reserve, 1000n)).toBe(reserve);
  });

  it('fails at a slot before the last update, as the program does', () => {
    expect(() => accrueReserve(reserve, 999n)).toThrow(expect.objectContaining({ code: 'DECODE__VALUE_OUT_OF_RANGE' }));
  });

  it('fails where interest outgrows the program’s integers', () => {
    const dear = {
      ...reserve,
      superMaxBorrowRate: 100_000_000n,
      liquidity: { ...reserve.liquidity, availableAmount: 0n },
    };
    expect(() => accrueReserve(dear, 63_073_000n)).toThrow(
      expect.objectContaining({ code: 'DECODE__VALUE_OUT_OF_RANGE' }),
    );
  });
});

describe('compoundFactor', () => {
  it('gives the factor of vector S3', () => {
    expect(compoundFactor((36n * WAD) / 100n, 9000n)).toBe(1_000_051_371_182_316_606n);
  });

  it.each([
    [0n, WAD],
    [1n, WAD + (36n * WAD) / 100n / 63_072_000n],
  ])('is what one slot after another gives, for %s slots', (slots, factor) => {
    expect(compoundFactor((36n * WAD) / 100n, slots)).toBe(factor);
  });

  it('fails at the square behind the last slot where that does not fit, as the program does', () => {
    const dear = 20n * WAD * 63_072_000n;
    expect(() => compoundFactor(dear, 1n)).toThrow(expect.objectContaining({ code: 'DECODE__VALUE_OUT_OF_RANGE' }));
    expect(compoundFactor(dear / 10n, 1n)).toBe(3n * WAD);
  });
});

describe('exchangeRateOf', () => {
  it('gives the supply and the rate of vector S1', () => {
    expect(totalSupplyWads(madeReserve()) / WAD).toBe(99_950_000_000_000n);
    expect(exchangeRateOf(madeReserve())).toBe(1_110_555_555_555_555_555n);
  });

  it('is one where there are no receipts or no tokens', () => {
    const none = madeReserve({ collateral: { mintTotalSupply: 0n } });
    const empty = madeReserve({
      liquidity: { availableAmount: 0n, borrowedAmountWads: 0n },
      accumulatedProtocolFeesWads: 0n,
    });
    for (const reserve of [none, empty]) {
      expect(exchangeRateOf(reserve)).toBe(WAD);
      expect(receiptsPerToken(reserve)).toBe(WAD);
    }
  });
});

const HALF_SECOND = 500_000n;
/** A reserve of which so many hundredths are lent. */
const lent = (percent: bigint, config = {}) =>
  madeReserve({
    liquidity: { availableAmount: 100n - percent, borrowedAmountWads: percent * WAD },
    accumulatedProtocolFeesWads: 0n,
    config,
  });

const asNumber = (fraction: bigint | null) => Number(fraction) / 1e18;

describe('ratesOf', () => {
  it('gives the rates of vector S1', () => {
    const rates = ratesOf(madeReserve(), HALF_SECOND);
    expect(rates).toEqual({
      utilization: 800_000_000_000_000_000n,
      borrowApr: 80_000_000_000_000_000n,
      depositApr: 51_200_000_000_000_000n,
      poolRewardApr: 0n,
      slotMicros: HALF_SECOND,
    });
    expect(venueApy(asNumber(rates.borrowApr), 'solend')).toBeCloseTo(0.083287068, 9);
    expect(venueApy(asNumber(rates.depositApr), 'solend')).toBeCloseTo(0.052533379, 9);
  });

  it.each([
    [40n, 0.04, 0.0128],
    [80n, 0.08, 0.0512],
    [90n, 0.36, 0.2592],
    [95n, 0.5, 0.38],
    [98n, 2, 1.568],
    [100n, 3, 2.4],
  ])('gives at a utilisation of %s %% the rates of vector S2', (percent, borrowApr, depositApr) => {
    const rates = ratesOf(lent(percent), HALF_SECOND);
    expect(asNumber(rates.borrowApr)).toBeCloseTo(borrowApr, 15);
    expect(asNumber(rates.depositApr)).toBeCloseTo(depositApr, 15);
  });

  it('brings the rate of a slot to the wall clock', () => {
    expect(ratesOf(madeReserve(), 400_000n).borrowApr).toBe(100_000_000_000_000_000n);
    expect(ratesOf(madeReserve(), 350_000n).depositApr).toBe(73_142_857_142_857_142n);
  });

  it('pays depositors nothing where the protocol takes all', () => {
    expect(ratesOf(lent(50n, { protocolTakeRate: 100 }), HALF_SECOND).depositApr).toBe(0n);
  });
});

describe('utilizationOf', () => {
  it('is zero where nothing is lent or all supply is the protocol’s', () => {
    expect(utilizationOf(lent(0n))).toBe(0n);
    expect(utilizationOf({ ...lent(50n), accumulatedProtocolFeesWads: 100n * WAD })).toBe(0n);
  });
});

describe('borrowRateOf', () => {
  it('starts at the least rate', () => {
    expect(borrowRateOf(lent(0n, { minBorrowRate: 3 }))).toBe(30_000_000_000_000_000n);
  });

  it('is the least rate up to an optimum of zero, and on the second slope beyond it', () => {
    const config = { optimalUtilizationRate: 0, minBorrowRate: 2, optimalBorrowRate: 5 };
    expect(borrowRateOf(lent(0n, config))).toBe(20_000_000_000_000_000n);
    expect(borrowRateOf(lent(19n, config))).toBe(140_000_000_000_000_000n);
  });
});

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

describe('rate limiter', () => {
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
});

const charging = (borrowFeeWad: bigint, hostFeePercentage: number) =>
  madeReserve({ config: { fees: { borrowFeeWad, flashLoanFeeWad: 0n, hostFeePercentage } } });
/** A tenth of a percent, a fifth of it the host's. */
const usual = charging(WAD / 1_000n, 20);

describe('computeBorrowFees', () => {
  it('adds its share to what is received, or takes it out of what is borrowed', () => {
    expect(computeBorrowFees(usual, 1_000_000n * WAD, 'added')).toEqual({
      feeWads: 1_000n * WAD,
      borrowFee: 1_000n,
      hostFee: 200n,
    });
    expect(computeBorrowFees(usual, 1_001_000n * WAD, 'included')).toMatchObject({ borrowFee: 1_000n, hostFee: 200n });
  });

  it('rounds to the nearest unit, and charges one for either who takes part', () => {
    expect(computeBorrowFees(usual, 2_400n * WAD, 'added')).toMatchObject({ borrowFee: 2n, hostFee: 1n });
    expect(computeBorrowFees(usual, 2_500n * WAD, 'added')).toMatchObject({ borrowFee: 3n, hostFee: 1n });
    expect(computeBorrowFees(usual, 10n * WAD, 'added')).toMatchObject({ borrowFee: 2n, hostFee: 1n });
    expect(computeBorrowFees(charging(1n, 0), 10n * WAD, 'added')).toMatchObject({ borrowFee: 1n, hostFee: 0n });
  });

  it('charges nothing for nothing, and nothing where there is no fee', () => {
    const nothing = { feeWads: 0n, borrowFee: 0n, hostFee: 0n };
    expect(computeBorrowFees(usual, 0n, 'added')).toEqual(nothing);
    expect(computeBorrowFees(charging(0n, 20), 10n * WAD, 'added')).toEqual(nothing);
  });
});

const U64_MAX = 2n ** 64n - 1n;
const U128_MAX = 2n ** 128n - 1n;
const U192_MAX = 2n ** 192n - 1n;
const overflow = expect.objectContaining({ code: 'DECODE__VALUE_OUT_OF_RANGE' });

describe('arithmetic in wads', () => {
  it('rounds products and quotients down', () => {
    expect(multiplyWads(3n, WAD / 2n)).toBe(1n);
    expect(divideWads(2n, 3n * WAD)).toBe(0n);
    expect(multiplyRates(5n, WAD / 2n)).toBe(2n);
    expect(divideRates(WAD, 3n * WAD)).toBe(333_333_333_333_333_333n);
  });

  it.each([
    ['floor', floorWads, [0n, 0n, 0n, 1n]],
    ['ceil', ceilWads, [0n, 1n, 1n, 1n]],
    ['round', roundWads, [0n, 0n, 1n, 1n]],
  ])('takes whole units by their %s', (_name, whole, expected) => {
    expect([0n, 1n, WAD / 2n, WAD].map(whole)).toEqual(expected);
  });

  it.each([
    ['a sum', () => addWads(U192_MAX, 0n), () => addWads(U192_MAX, 1n)],
    ['a difference', () => subtractWads(5n, 5n), () => subtractWads(5n, 6n)],
    ['a product', () => multiplyWads(U192_MAX, 1n), () => multiplyWads(2n ** 96n, 2n ** 96n)],
    ['a dividend', () => divideWads(U192_MAX / WAD, 1n), () => divideWads(U192_MAX / WAD + 1n, 1n)],
    ['a divisor', () => divideWads(1n, 1n), () => divideWads(1n, 0n)],
    ['a rate', () => toRate(U128_MAX), () => toRate(U128_MAX + 1n)],
    ['a product of rates', () => multiplyRates(U128_MAX, 1n), () => multiplyRates(2n ** 64n, 2n ** 64n)],
    ['a quotient of rates', () => divideRates(U128_MAX / WAD, 1n), () => divideRates(U128_MAX / WAD + 1n, 1n)],
    ['a number of units', () => floorWads(U64_MAX * WAD), () => floorWads((U64_MAX + 1n) * WAD)],
  ])('ends where the program’s integers end: %s', (_what, last, beyond) => {
    expect(last).not.toThrow();
    expect(beyond).toThrow(overflow);
  });
});

const reserve = madeReserve({ smoothedMarketPrice: 2n * WAD, liquidityExtraMarketPrice: 5n * WAD });
const withExtra = { ...reserve, liquidityExtraMarketPriceFlag: 1 };

describe('valuation of a reserve', () => {
  it('bounds the price by the average, and by a third where there is one', () => {
    expect([lowerPrice(reserve), upperPrice(reserve)]).toEqual([WAD, 2n * WAD]);
    expect([lowerPrice(withExtra), upperPrice(withExtra)]).toEqual([WAD, 5n * WAD]);
    const cheap = { ...withExtra, liquidityExtraMarketPrice: WAD / 2n };
    expect([lowerPrice(cheap), upperPrice(cheap)]).toEqual([WAD / 2n, 2n * WAD]);
  });

  it('values whole tokens, and buys at the higher price', () => {
    expect(valueAt(3n * WAD, 2_000_000n * WAD, reserve)).toBe(6n * WAD);
    expect(amountOfValue(6n * WAD, reserve)).toBe(3_000_000n * WAD);
  });

  it('weighs a debt at one and what is added', () => {
    expect(borrowWeight(reserve)).toBe(WAD);
    expect(borrowWeight({ ...reserve, addedBorrowWeightBps: 2_500n })).toBe((5n * WAD) / 4n);
  });
});

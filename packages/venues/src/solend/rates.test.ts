import { venueApy } from '@lending/domain';
import { describe, expect, it } from 'vitest';
import { borrowRateOf, utilizationOf } from './interest-curve.ts';
import { ratesOf } from './rates.ts';
import { madeReserve } from './testing/made-reserve.ts';
import { WAD } from './wads.ts';

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
  it('counts fees owed to the protocol as supply', () => {
    expect(utilizationOf(madeReserve())).toBe(800_000_000_000_000_000n);
  });

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

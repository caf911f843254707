import { describe, expect, it } from 'vitest';
import { accrueReserve, accumulatedInterest } from './accrual.ts';
import { borrowsOf, depositsOf, exchangeRateOf } from './exchange-rate.ts';
import { LAST_INTEREST, spotMarket } from './testing/made-reserve.ts';

/** A market of the reference's vector for an hour. */
const market = spotMarket({
  ...{ depositBalance: 10n ** 15n, borrowBalance: 7n * 10n ** 14n },
  ...{ cumulativeDepositInterest: 10_500_000_000n, cumulativeBorrowInterest: 11_000_000_000n },
  insuranceFund: { ...spotMarket().insuranceFund, totalFactor: 100_000 },
});
const HOUR = LAST_INTEREST + 3_600n;

describe('accumulatedInterest', () => {
  it('is what both indices grow by in an hour', () => {
    expect(accumulatedInterest(market, HOUR)).toEqual({ borrowInterest: 57_553n, depositInterest: 40_286n });
  });

  it.each([
    ['at the same second', LAST_INTEREST, {}],
    ['before it', LAST_INTEREST - 1n, {}],
    ['where nobody borrows', HOUR, { borrowBalance: 0n }],
  ])('is nothing %s', (_when, time, fields) => {
    expect(accumulatedInterest({ ...market, ...fields }, time)).toEqual({ borrowInterest: 0n, depositInterest: 0n });
  });
});

describe('accrueReserve', () => {
  it('gives lenders what the insurance fund leaves, and the fund a deposit', () => {
    const accrued = accrueReserve(market, HOUR);
    expect(accrued.cumulativeDepositInterest).toBe(10_500_000_000n + 36_258n);
    expect(accrued.cumulativeBorrowInterest).toBe(11_000_000_000n + 57_553n);
    expect(accrued.lastInterestTs).toBe(HOUR);
    const forFund = accrued.depositBalance - market.depositBalance;
    expect(forFund).toBe(accrued.revenuePool.scaledBalance);
    // 4028 of the index on 10^15 is 402800 base units, of which one is lost to rounding.
    expect((forFund * accrued.cumulativeDepositInterest) / 10n ** 13n).toBe(402_799n);
  });

  it('lets the averages follow', () => {
    const half = { ...market, depositTokenTwap: depositsOf(market) / 2n, borrowTokenTwap: 2n * borrowsOf(market) };
    const accrued = accrueReserve({ ...half, utilizationTwap: 0n }, HOUR);
    const expected = (depositsOf(accrued) * 3_600n + half.depositTokenTwap * 82_800n) / 86_400n;
    expect(accrued.depositTokenTwap).toBe(expected + 1n);
    expect(accrued.borrowTokenTwap).toBe((borrowsOf(accrued) * 3_600n + half.borrowTokenTwap * 82_800n) / 86_400n + 1n);
    expect(accrued.utilizationTwap).toBe((733_334n * 3_600n) / 86_400n - 1n);
    expect(accrued.lastTwapTs).toBe(HOUR);
  });

  it('leaves the averages of the same second alone', () => {
    const { depositTokenTwap, borrowTokenTwap, utilizationTwap } = accrueReserve(market, LAST_INTEREST);
    expect({ depositTokenTwap, borrowTokenTwap, utilizationTwap }).toEqual({
      ...{ depositTokenTwap: 100_000_000n, borrowTokenTwap: 70_000_000n, utilizationTwap: 700_000n },
    });
  });

  it('forgets the averages after a day, but for one part', () => {
    const accrued = accrueReserve({ ...market, depositTokenTwap: 0n }, LAST_INTEREST + 200_000n);
    expect(accrued.depositTokenTwap).toBe((depositsOf(accrued) * 200_000n) / 200_001n);
  });

  it.each([
    ['a paused market', { pausedOperations: 1 }],
    ['a market whose curve cannot be evaluated', { optimalUtilization: 0, minBorrowRate: 1, maxBorrowRate: 0 }],
    ['a market that gives the fund all', { insuranceFund: { ...market.insuranceFund, totalFactor: 1_000_000 } }],
    [
      'a market whose borrowers pay less than one unit of the index',
      { cumulativeBorrowInterest: 1n, borrowBalance: 10n ** 25n },
    ],
    ['a market whose lenders get less than one unit of the index', { borrowBalance: 10n ** 6n }],
  ])('leaves the interest of %s alone', (_what, fields) => {
    const { depositTokenTwap: _d, borrowTokenTwap: _b, utilizationTwap: _u, lastTwapTs, ...rest } = market;
    const accrued = accrueReserve({ ...market, ...fields }, HOUR);
    expect(accrued).toMatchObject({ ...rest, ...fields });
    expect(lastTwapTs).toBe(LAST_INTEREST);
    expect(accrued.lastTwapTs).toBe(HOUR);
  });
});

describe('exchangeRateOf', () => {
  it('is the deposit index as a fraction', () => {
    expect(exchangeRateOf({ cumulativeDepositInterest: 10_942_206_796n })).toBe(1_094_220_679_600_000_000n);
  });
});

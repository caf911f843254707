import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accrueReserve, accumulatedInterest } from './accrual.ts';
import { borrowsOf, depositsOf } from './exchange-rate.ts';
import { borrowRateOf, depositRateOf, utilizationOf } from './interest-curve.ts';
import { limitsOf, withdrawGuardsOf } from './limits.ts';
import { ratesOf } from './rates.ts';
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

const terms = { optimalUtilization: 800_000, optimalBorrowRate: 50_000, maxBorrowRate: 500_000, minBorrowRate: 0 };

describe('utilizationOf', () => {
  it('is nothing without deposits and loans, and all where loans are left without deposits', () => {
    expect(utilizationOf(0n, 0n)).toBe(0n);
    expect(utilizationOf(0n, 1n)).toBe(1_000_000n);
  });
});

describe('borrowRateOf and depositRateOf', () => {
  it.each([
    [400_000n, 25_000n, 9_000n],
    [800_000n, 50_000n, 36_000n],
    [825_000n, 61_250n, 45_478n],
    [850_000n, 72_500n, 55_462n],
    [875_000n, 95_000n, 74_812n],
    [920_000n, 144_500n, 119_646n],
    [960_000n, 207_500n, 179_280n],
    [992_000n, 320_000n, 285_696n],
    [1_000_000n, 500_000n, 450_000n],
  ])('follow the curve at %s', (utilization, borrow, deposit) => {
    const rate = borrowRateOf(terms, utilization);
    expect(rate).toBe(borrow);
    expect(depositRateOf(rate ?? -1n, utilization, 100_000)).toBe(deposit);
  });

  it('have the values of the integration tests of P0', () => {
    const halfLent = borrowRateOf({ ...terms, optimalBorrowRate: 200_000, maxBorrowRate: 1_000_000 }, 500_000n);
    expect(halfLent).toBe(125_000n);
    expect(depositRateOf(62_500n, 500_000n, 500_000)).toBe(15_625n);
    expect(borrowRateOf({ ...terms, optimalBorrowRate: 250_000, maxBorrowRate: 1_500_000 }, 950_000n)).toBe(625_000n);
    expect(borrowRateOf({ ...terms, minBorrowRate: 10 }, 0n)).toBe(50_000n);
  });

  it('divide the slope first', () => {
    // 3 × 10^6 ÷ 700000 is 4, not 4.28.
    expect(borrowRateOf({ ...terms, optimalUtilization: 700_000, optimalBorrowRate: 3 }, 700_000n)).toBe(2n);
  });

  it.each([
    ['no optimal utilisation', { ...terms, optimalUtilization: 0 }, 0n],
    ['an optimal utilisation inside the second stretch', { ...terms, optimalUtilization: 850_001 }, 850_002n],
    ['a highest rate below the optimal one', { ...terms, maxBorrowRate: 49_999 }, 800_001n],
  ])('know no rate with %s, as the program fails', (_what, broken, utilization) => {
    expect(borrowRateOf(broken, utilization)).toBeNull();
  });

  it('rise with utilisation', () => {
    const curve = fc.record({
      optimalUtilization: fc.integer({ min: 1, max: 850_000 }),
      optimalBorrowRate: fc.integer({ min: 0, max: 1_000_000 }),
      maxBorrowRate: fc.integer({ min: 1_000_000, max: 20_000_000 }),
      minBorrowRate: fc.integer({ min: 0, max: 255 }),
    });
    const half = fc.bigInt({ min: 0n, max: 500_000n });
    fc.assert(
      fc.property(curve, half, half, (any, low, more) => {
        const high = low + more;
        const [lowRate, highRate] = [borrowRateOf(any, low) ?? -1n, borrowRateOf(any, high) ?? -1n];
        expect(lowRate).toBeGreaterThanOrEqual(0n);
        expect(highRate).toBeGreaterThanOrEqual(lowRate);
        expect(depositRateOf(highRate, high, 10_000)).toBeLessThanOrEqual(highRate);
      }),
    );
  });
});

describe('ratesOf', () => {
  it('knows the utilisation where it knows no rate', () => {
    expect(ratesOf(spotMarket({ maxBorrowRate: 0, optimalUtilization: 600_000 }))).toEqual({
      ...{ depositApr: null, borrowApr: null, poolRewardApr: 0n, slotMicros: null },
      utilization: 700_000_000_000_000_000n,
    });
  });
});

const ALL = { status: 'active', reasons: [], mayDeposit: true, mayWithdraw: true, mayBorrow: true } as const;
/** The markets of the reference's vectors: USDC on 2024-09-30, SOL a day before. */
const usdc = spotMarket({
  ...{ depositBalance: 75_458_907_553_732_602n, borrowBalance: 35_920_482_715_933_506n },
  ...{ cumulativeDepositInterest: 10_942_206_796n, cumulativeBorrowInterest: 12_051_835_006n },
  ...{ optimalUtilization: 700_000, withdrawGuardThreshold: 10n ** 12n },
  ...{ depositTokenTwap: 80_649_498_063_458n, borrowTokenTwap: 42_675_449_655_089n, utilizationTwap: 536_172n },
});

const sol = spotMarket({
  ...{ decimals: 9, depositBalance: 392_004_402_108_425n, borrowBalance: 130_724_495_244_459n },
  ...{ cumulativeDepositInterest: 10_322_526_111n, cumulativeBorrowInterest: 10_882_078_169n },
  ...{ optimalUtilization: 800_000, withdrawGuardThreshold: 5n * 10n ** 13n },
  ...{ depositTokenTwap: 410_979_328_562_884n, borrowTokenTwap: 142_015_798_556_201n, utilizationTwap: 346_339n },
});

const AMPLE = 10n ** 18n;

describe('withdrawGuardsOf', () => {
  it('guards the USDC market by its average', () => {
    expect(withdrawGuardsOf(usdc)).toEqual({
      maxUtilization: 768_086n,
      minDeposits: 60_487_123_547_594n,
      maxBorrows: 58_805_349_267_780n,
    });
  });

  it('guards the SOL market by its optimal utilisation', () => {
    expect(withdrawGuardsOf(sol)).toEqual({
      maxUtilization: 800_000n,
      minDeposits: 308_234_496_422_163n,
      maxBorrows: 222_945_312_084_024n,
    });
  });

  it('lets isolated pools lend more', () => {
    const { maxBorrows } = withdrawGuardsOf({ ...sol, poolId: 1 });
    expect(maxBorrows).toBe(142_015_798_556_201n + 404_647_567_639_116n / 3n);
  });

  it('keeps a fourteenth of the deposits from being lent, in isolated pools a twentieth', () => {
    const eager = { ...sol, optimalUtilization: 1_000_000, borrowTokenTwap: AMPLE };
    const deposits = 404_647_567_639_116n;
    expect(withdrawGuardsOf(eager).maxBorrows).toBe(deposits - deposits / 14n);
    expect(withdrawGuardsOf({ ...eager, poolId: 2 }).maxBorrows).toBe(deposits - deposits / 20n);
  });

  it('lets a third be lent at least, in isolated pools half', () => {
    const quiet = { ...sol, borrowTokenTwap: 0n, depositTokenTwap: 300_000_000_000_000n };
    expect(withdrawGuardsOf(quiet).maxBorrows).toBe(100_000_000_000_000n);
    expect(withdrawGuardsOf({ ...quiet, poolId: 4 }).maxBorrows).toBe(150_000_000_000_000n);
  });

  it('lets deposits below the threshold go', () => {
    const all = 10n ** 15n;
    expect(withdrawGuardsOf({ ...sol, withdrawGuardThreshold: all })).toMatchObject({
      minDeposits: 0n,
      maxBorrows: all,
    });
  });

  it('keeps what the loans need at the highest utilisation', () => {
    expect(withdrawGuardsOf({ ...usdc, depositTokenTwap: 0n, utilizationTwap: 1_200_000n })).toMatchObject({
      maxUtilization: 1_200_000n,
      minDeposits: 36_075_644_252_359n,
    });
  });
});

describe('limitsOf', () => {
  it('says what the guards leave', () => {
    expect(limitsOf(usdc, AMPLE, ALL)).toEqual({
      ...{ depositLimitBase: null, depositRoomBase: null, borrowLimitBase: null },
      borrowRoomBase: 15_514_576_164_949n,
      withdrawRoomBase: 22_081_573_557_724n,
    });
    expect(limitsOf(sol, AMPLE, ALL).withdrawRoomBase).toBe(96_413_071_216_953n);
  });

  it('lends and returns no more than the vault holds', () => {
    expect(limitsOf(usdc, 5n, ALL)).toMatchObject({ borrowRoomBase: 5n, withdrawRoomBase: 5n });
  });

  it('returns no more than is not lent', () => {
    const lent = { ...usdc, withdrawGuardThreshold: AMPLE };
    const unlent = 82_568_697_105_318n - 43_290_773_102_831n;
    expect(limitsOf(lent, AMPLE, ALL)).toMatchObject({ borrowRoomBase: unlent, withdrawRoomBase: unlent });
  });

  it('lends nothing while deposits are below what must be left', () => {
    const drained = { ...usdc, depositTokenTwap: 200_000_000_000_000n };
    expect(limitsOf(drained, AMPLE, ALL)).toMatchObject({ borrowRoomBase: 0n, withdrawRoomBase: 0n });
  });

  it('counts limits in deposits, and a share of them for loans', () => {
    const capped = { ...usdc, maxTokenDeposits: 90_000_000_000_000n, maxTokenBorrowsFraction: 5_000 };
    expect(limitsOf(capped, AMPLE, ALL)).toMatchObject({
      depositLimitBase: 90_000_000_000_000n,
      depositRoomBase: 90_000_000_000_000n - 82_568_697_105_318n,
      borrowLimitBase: 45_000_000_000_000n,
      borrowRoomBase: 45_000_000_000_000n - 43_290_773_102_831n,
    });
    expect(limitsOf({ ...capped, maxTokenDeposits: 1n }, AMPLE, ALL).depositRoomBase).toBe(0n);
  });

  it('has no room for what is not allowed', () => {
    const none = { ...ALL, mayDeposit: false, mayBorrow: false, mayWithdraw: false };
    expect(limitsOf(usdc, AMPLE, none)).toMatchObject({
      ...{ depositRoomBase: 0n, borrowRoomBase: 0n, withdrawRoomBase: 0n },
    });
  });
});

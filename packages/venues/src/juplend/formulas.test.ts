import { formatFraction } from '@lending/domain';
import { isLendingError } from '@lending/errors';
import { describe, expect, it } from 'vitest';
import { accrueJuplendPrices, juplendSupplyRateE12, juplendTotals, juplendUtilization } from './accrual.ts';
import { accrueJuplendTokenPrice, juplendAssetsOf, juplendSharesBurnt, juplendSharesMinted } from './exchange-rate.ts';
import { juplendBorrowRate } from './interest-curve.ts';
import { juplendWithdrawalLimit, juplendWithdrawalLimitAfter, limitsOf } from './limits.ts';
import { ratesOf } from './rates.ts';
import { juplendRewardPhases, juplendRewardRate, juplendRewardsReturn } from './rewards.ts';
import {
  JUPLEND_UPDATED,
  madeLendingFields,
  madeRateModel,
  madeRewards,
  madeSupplyPosition,
  madeTokenReserve,
} from './testing/made-reserve.ts';

const prices = (supply: bigint, borrow: bigint) => ({ supply, borrow });
const failureOf = (run: () => unknown): unknown => {
  try {
    run();
  } catch (error) {
    if (isLendingError(error, 'DECODE__VALUE_OUT_OF_RANGE')) return error.context.failure;
    throw error;
  }
  return null;
};

describe('accrueJuplendPrices', () => {
  it('adds simple interest to the published USDC reserve', () => {
    const after = accrueJuplendPrices(madeTokenReserve(), JUPLEND_UPDATED + 3_600n);
    expect(after.supply).toBe(1_030_000_619_184n);
    // 1.045e12 × 442 × 3600 ÷ (31,536,000 × 10,000), rounded up
    expect(after.borrow).toBe(1_045_000_000_000n + 5_272_717n);
  });

  it('moves nothing where no time has passed, nothing is charged or nobody borrows with interest', () => {
    const [before, later] = [prices(1_029_996_710_353n, 1_045_000_000_000n), JUPLEND_UPDATED + 60n];
    expect(accrueJuplendPrices(madeTokenReserve(), JUPLEND_UPDATED)).toEqual(before);
    expect(accrueJuplendPrices(madeTokenReserve({ borrowRate: 0 }), later)).toEqual(before);
    expect(accrueJuplendPrices(madeTokenReserve({ totalBorrowWithInterest: 0n }), later)).toEqual(before);
  });

  it('charges borrowers where nobody is there to be paid', () => {
    const later = JUPLEND_UPDATED + 60n;
    const after = accrueJuplendPrices(madeTokenReserve({ totalSupplyWithInterest: 0n }), later);
    expect(after.supply).toBe(1_029_996_710_353n);
    expect(after.borrow).toBeGreaterThan(1_045_000_000_000n);
  });

  it('refuses a clock behind the last update, and prices of nothing', () => {
    expect(failureOf(() => accrueJuplendPrices(madeTokenReserve(), JUPLEND_UPDATED - 1n))).toBe('LibraryMathError');
    const worthless = madeTokenReserve({ supplyExchangePrice: 0n });
    expect(failureOf(() => accrueJuplendPrices(worthless, JUPLEND_UPDATED))).toBe('ExchangePriceZero');
  });
});

describe('juplendSupplyRateE12', () => {
  it('is the borrow rate on the part lent, less the fee', () => {
    expect(juplendSupplyRateE12(madeTokenReserve())).toBe(442n * 8_357n * 9_000n);
  });

  /** The example that the program's source works through: 62.5% of the supply earns 36%. */
  it('gives what some lenders renounce to the others, and counts only borrowers who pay', () => {
    const reserve = madeTokenReserve({
      borrowRate: 4_000,
      lastUtilization: 6_000,
      totalSupplyWithInterest: 80n,
      totalSupplyInterestFree: 20n,
      totalBorrowWithInterest: 50n,
      totalBorrowInterestFree: 10n,
    });
    // A sixth of the borrowers does not pay; seventeen digits of it are kept.
    expect(juplendSupplyRateE12(reserve)).toBe(4_000n * 6_250n * 9_000n);
  });

  it('inverts the ratio where most supply earns nothing', () => {
    const reserve = madeTokenReserve({
      borrowRate: 4_000,
      feeOnInterest: 0,
      lastUtilization: 5_000,
      totalSupplyWithInterest: 20n,
      totalSupplyInterestFree: 80n,
      totalBorrowWithInterest: 50n,
    });
    expect(juplendSupplyRateE12(reserve)).toBe(4_000n * 25_000n * 10_000n);
  });

  it('is nothing where the earning part is too small to be counted', () => {
    expect(juplendSupplyRateE12(madeTokenReserve({ totalSupplyWithInterest: 0n }))).toBeNull();
    const tiny = madeTokenReserve({ totalSupplyWithInterest: 1n, totalSupplyInterestFree: 100_000n });
    expect(juplendSupplyRateE12(tiny)).toBeNull();
  });
});

describe('juplendTotals', () => {
  it('values the published supply', () => {
    const { supply } = juplendTotals(madeTokenReserve(), prices(1_029_996_710_353n, 10n ** 12n));
    expect(supply).toBe(413_427_469_783_881n);
  });
});

describe('juplendUtilization', () => {
  const totals = { totalSupplyInterestFree: 0n, totalBorrowInterestFree: 0n } as const;

  it('compares what is borrowed with what is supplied, both at their prices', () => {
    const raw = madeTokenReserve({
      totalSupplyWithInterest: 500_000_000_000_000n,
      totalBorrowWithInterest: 400_000_000_000_000n,
    });
    expect(juplendUtilization(raw, prices(1_250_000_000_000n, 1_500_000_000_000n))).toBe(9_600n);
  });

  it('is zero without supply', () => {
    const raw = { ...totals, totalSupplyWithInterest: 0n, totalBorrowWithInterest: 5n };
    expect(juplendUtilization(raw, prices(10n ** 12n, 10n ** 12n))).toBe(0n);
  });

  it('refuses to grow past the cap of a mint, and to store more than fits', () => {
    const raw = { ...totals, totalSupplyWithInterest: 1n << 60n, totalBorrowWithInterest: 5n };
    const one = prices(10n ** 12n, 10n ** 12n);
    expect(failureOf(() => juplendUtilization(raw, one, { supply: true }))).toBe('ValueOverflowTotalSupply');
    expect(failureOf(() => juplendUtilization(raw, one))).toBeNull();
    const bad = { ...totals, totalSupplyWithInterest: 1n, totalBorrowWithInterest: 7n };
    expect(failureOf(() => juplendUtilization(bad, one))).toBe('LibraryCastingFailure');
  });
});

const LIQUIDITY_PRICE = 1_030_000_619_184n;
const TOKEN_PRICE = 1_045_000_000_000n;

describe('shares of an Earn pool', () => {
  it('turns a deposit into fTokens and back, rounding against the depositor', () => {
    const raw = (1_000_000_000n * 10n ** 12n) / LIQUIDITY_PRICE;
    expect(raw).toBe(970_873_202n);
    expect((raw * LIQUIDITY_PRICE) / 10n ** 12n).toBe(999_999_999n);
    expect(juplendSharesMinted(raw, LIQUIDITY_PRICE, TOKEN_PRICE)).toBe(956_937_798n);
    expect(juplendAssetsOf(956_937_798n, TOKEN_PRICE)).toBe(999_999_998n);
    expect(juplendAssetsOf(956_937_798n, TOKEN_PRICE, 'up')).toBe(999_999_999n);
    expect(juplendSharesBurnt(1_000_000_000n, TOKEN_PRICE)).toBe(956_937_800n);
  });
});

describe('accrueJuplendTokenPrice', () => {
  const lending = madeLendingFields();
  const pool = { lending, rewards: null, fTokenSupply: 64_000_000_000_000n };
  const later = JUPLEND_UPDATED + 3_600n;

  it('grows as the liquidity layer’s price does', () => {
    // 3,908,831 ÷ 1,029,996,710,353 with 14 decimals is 379,499,367.
    expect(accrueJuplendTokenPrice(pool, LIQUIDITY_PRICE, later)).toBe(
      TOKEN_PRICE + (TOKEN_PRICE * 379_499_367n) / 10n ** 14n,
    );
  });

  it('adds rewards to it', () => {
    const rewards = madeRewards({ startTime: 1n, duration: 10n ** 12n, yearlyReward: 2_000_000_000_000n });
    const small = { ...pool, rewards, lending: { ...lending, tokenExchangePrice: 10n ** 12n } };
    const rewardsReturn = (3_125_000_000_000n * 3_600n) / 31_536_000n;
    expect(accrueJuplendTokenPrice(small, LIQUIDITY_PRICE, later)).toBe(
      10n ** 12n + (10n ** 12n * (379_499_367n + rewardsReturn)) / 10n ** 14n,
    );
  });

  it('refuses a liquidity price that fell', () => {
    expect(() => accrueJuplendTokenPrice(pool, lending.liquidityExchangePrice - 1n, later)).toThrow(
      'FTokenLiquidityExchangePriceUnexpected',
    );
  });
});

const oneKink = madeRateModel({
  version: 1,
  kink1Utilization: 9_000,
  rateAtKink1: 300,
  rateAtMax: 10_000,
  kink2Utilization: 0,
  rateAtKink2: 0,
});

describe('juplendBorrowRate', () => {
  it.each([
    [0n, 0n],
    [577n, 19n],
    [4_500n, 149n],
    [9_000n, 300n],
    [9_500n, 5_150n],
    [10_000n, 10_000n],
  ])('follows a curve of one kink at %d', (utilization, rate) => {
    expect(juplendBorrowRate(oneKink, utilization)).toBe(rate);
  });

  it.each([
    [0n, 0n],
    [4_250n, 299n],
    [8_500n, 600n],
    [8_900n, 700n],
    [9_300n, 800n],
    [9_650n, 5_399n],
    [10_000n, 9_999n],
  ])('follows a curve of two kinks at %d', (utilization, rate) => {
    expect(juplendBorrowRate(madeRateModel(), utilization)).toBe(rate);
  });

  it('stops at what two bytes hold', () => {
    expect(juplendBorrowRate({ ...oneKink, rateAtMax: 60_000 }, 20_000n)).toBe(65_535n);
  });

  it('refuses a falling curve below zero and a version it does not know', () => {
    expect(() => juplendBorrowRate({ ...oneKink, rateAtKink1: 300, rateAtMax: 0 }, 10_500n)).toThrow(
      'BorrowRateNegative',
    );
    expect(() => juplendBorrowRate({ ...oneKink, version: 3 }, 0n)).toThrow('UnsupportedRateVersion');
  });
});

describe('ratesOf', () => {
  const prices = { supply: 1_029_996_710_353n, borrow: 1_045_000_000_000n };

  it('tells the stored rates of the published USDC reserve', () => {
    const rates = ratesOf(madeTokenReserve(), prices, 3_125_000_000_000n);
    expect(formatFraction(rates.depositApr ?? 0n)).toBe('0.033244146');
    expect(formatFraction(rates.borrowApr ?? 0n)).toBe('0.0442');
    expect(formatFraction(rates.poolRewardApr ?? 0n)).toBe('0.03125');
    expect(formatFraction(rates.utilization ?? 0n)).toMatch(/^0\.8357/);
    expect(rates.slotMicros).toBeNull();
  });

  it('pays depositors nothing while nobody borrows with interest', () => {
    const rates = ratesOf(madeTokenReserve({ totalBorrowWithInterest: 0n }), prices, null);
    expect(rates).toMatchObject({ depositApr: 0n, poolRewardApr: null, utilization: 0n });
  });
});

const TVL = 64_000_000_000_000n;
const YEAR = 31_536_000n;
const running = madeRewards({ startTime: 1_000n, duration: 2_000n, yearlyReward: 2_000_000_000_000n });
const queued = { ...running, nextDuration: 1_000n, nextRewardAmount: 63_419_583n };

describe('juplendRewardPhases', () => {
  it('shares a year’s rewards among all assets', () => {
    const { current, next } = juplendRewardPhases(running, TVL, 1_500n);
    expect(current).toEqual({ start: 1_000n, end: 3_000n, rate: 3_125_000_000_000n });
    expect(next).toBeNull();
  });

  it('knows no phase before the first begins', () => {
    expect(juplendRewardPhases(running, TVL, 999n)).toEqual({ current: null, next: null });
    expect(juplendRewardPhases(madeRewards(), TVL, 5n)).toEqual({ current: null, next: null });
  });

  it('pays nothing below the size that is asked for, and half of one a year at most', () => {
    expect(juplendRewardPhases({ ...running, startTvl: TVL + 1n }, TVL, 1_500n).current?.rate).toBe(0n);
    expect(juplendRewardPhases(running, 1_000n, 1_500n).current?.rate).toBe(50_000_000_000_000n);
  });

  it('refuses an empty pool whose rewards ask for no size, as the program does', () => {
    expect(() => juplendRewardPhases(running, 0n, 1_500n)).toThrow('LibraryMathError');
    expect(juplendRewardPhases({ ...running, startTvl: 1n }, 0n, 1_500n).current?.rate).toBe(0n);
  });

  it('makes a yearly rate of what is queued', () => {
    const { next } = juplendRewardPhases(queued, TVL, 1_500n);
    // 63,419,583 in 1,000 seconds are 1,999,999,969,488 a year.
    expect(next).toEqual({ start: 3_000n, end: 4_000n, rate: 3_124_999_952_325n });
  });
});

describe('juplendRewardRate', () => {
  const rateAt = (now: bigint) => juplendRewardRate(juplendRewardPhases(queued, TVL, now), now);

  it('changes with the phase and ends with the last', () => {
    expect([999n, 1_000n, 2_999n, 3_000n, 3_999n, 4_000n].map(rateAt)).toEqual([
      0n,
      3_125_000_000_000n,
      3_125_000_000_000n,
      3_124_999_952_325n,
      3_124_999_952_325n,
      0n,
    ]);
  });
});

describe('juplendRewardsReturn', () => {
  const returnOf = (from: bigint, to: bigint) => juplendRewardsReturn(juplendRewardPhases(queued, TVL, to), from, to);
  const first = (seconds: bigint) => (3_125_000_000_000n * seconds) / YEAR;
  const second = (seconds: bigint) => (3_124_999_952_325n * seconds) / YEAR;

  it('counts from the start of a phase to its end', () => {
    expect(returnOf(500n, 1_600n)).toBe(first(600n));
    expect(returnOf(1_500n, 1_600n)).toBe(first(100n));
    expect(returnOf(1_500n, 1_500n)).toBe(0n);
  });

  it('goes on with the phase behind it, a second after that began', () => {
    expect(returnOf(2_900n, 3_000n)).toBe(first(100n));
    expect(returnOf(2_900n, 3_200n)).toBe(first(100n) + second(200n));
    expect(returnOf(3_100n, 9_000n)).toBe(second(900n));
  });
});

const position = madeSupplyPosition({ withdrawalLimit: 330_000_000_000_000n });
const later = JUPLEND_UPDATED + 3_600n;

describe('juplendWithdrawalLimit', () => {
  it('falls with time', () => {
    const limit = juplendWithdrawalLimit(position, later);
    expect(limit).toBe(313_333_333_333_334n);
    expect(position.amount - limit).toBe(86_666_666_666_666n);
  });

  it('falls no further than the expand percentage', () => {
    expect(juplendWithdrawalLimit(position, JUPLEND_UPDATED + 21_600n)).toBe(300_000_000_000_000n);
  });

  it('is nothing where none is stored', () => {
    expect(juplendWithdrawalLimit({ ...position, withdrawalLimit: 0n }, later)).toBe(0n);
  });
});

describe('juplendWithdrawalLimitAfter', () => {
  it('keeps the limit before, lifts it with deposits and drops it below the base', () => {
    expect(juplendWithdrawalLimitAfter(position, 350_000_000_000_000n, 313n * 10n ** 12n)).toBe(313n * 10n ** 12n);
    expect(juplendWithdrawalLimitAfter(position, 800_000_000_000_000n, 313n * 10n ** 12n)).toBe(600n * 10n ** 12n);
    expect(juplendWithdrawalLimitAfter({ ...position, baseWithdrawalLimit: 5n }, 4n, 3n)).toBe(0n);
  });
});

describe('limitsOf', () => {
  const reserve = madeTokenReserve();
  const prices = { supply: 1_029_996_710_353n, borrow: 1_045_000_000_000n };
  const holdings = { reserve, position, prices, availableBase: 67_900_000_000_000n };

  it('lets out what the limit and the vault allow', () => {
    expect(limitsOf(holdings, false, later).withdrawRoomBase).toBe(67_900_000_000_000n);
    const wide = { ...holdings, availableBase: 10n ** 15n };
    const withdrawable = (86_666_666_666_666n * 1_029_996_710_353n) / 10n ** 12n;
    expect(limitsOf(wide, false, later).withdrawRoomBase).toBe(withdrawable);
  });

  it('caps borrows by the highest utilisation and deposits not at all', () => {
    const limits = limitsOf(holdings, false, later);
    expect(limits).toMatchObject({ depositLimitBase: null, depositRoomBase: null });
    const [supply, borrow] = [413_427_469_783_881n, 345_518_800_000_000n];
    expect((limits.borrowLimitBase ?? 0n) / 10n ** 6n).toBe((supply * 95n) / 100n / 10n ** 6n);
    expect(limits.borrowRoomBase).toBe((limits.borrowLimitBase ?? 0n) - borrow);
  });

  it('has no room while locked, and none to withdraw without a position', () => {
    expect(limitsOf(holdings, true, later)).toMatchObject({
      depositRoomBase: 0n,
      borrowRoomBase: 0n,
      withdrawRoomBase: 0n,
    });
    expect(limitsOf({ ...holdings, position: null }, false, later).withdrawRoomBase).toBe(0n);
  });
});

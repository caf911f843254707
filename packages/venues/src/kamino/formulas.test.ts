import { formatFraction, venueApy } from '@lending/domain';
import { describe, expect, it } from 'vitest';
import { accrueReserve, growthOver } from './accrual.ts';
import {
  cTokenRateOf,
  cTokensOfLiquidity,
  exchangeRateOf,
  liquidityForCTokens,
  liquidityOfCTokens,
  totalSupplySf,
} from './exchange-rate.ts';
import { borrowRateOf, utilizationOf } from './interest-curve.ts';
import { capRoom, limitsOf, sizesOf } from './limits.ts';
import { ratesOf } from './rates.ts';
import { farmIncentives } from './rewards.ts';
import { SF_ONE } from './scaled-fraction.ts';
import { statusOf } from './status.ts';
import { madeFarm, madeMarket, madeReserve, U64_MAX, USDC } from './testing/made-reserve.ts';

const START = 377_723_091n;
const market = madeMarket();
const later = (slots: bigint) => ({ slot: START + slots, unixTimestamp: 1_762_201_837n });
/** Base units with six further decimals. */
const micro = (sf: bigint) => (sf * 1_000_000n) >> 60n;

describe('accrueReserve', () => {
  it('gives the interest, the fees and the receipt’s price of vector K2', () => {
    const reserve = madeReserve();
    const accrued = accrueReserve(reserve, market, later(1000n));
    const { liquidity } = accrued;
    expect(liquidity.cumulativeBorrowRateBsf.value).toEqual([1_152_922_217_357_565_976n, 0n, 0n, 0n]);
    expect((liquidity.borrowedAmountSf - reserve.liquidity.borrowedAmountSf) >> 60n).toBe(283_242_368n);
    expect((liquidity.accumulatedProtocolFeesSf - reserve.liquidity.accumulatedProtocolFeesSf) >> 60n).toBe(
      28_324_236n,
    );
    expect(Number(formatFraction(exchangeRateOf(accrued) ?? 0n))).toBeCloseTo(1.1622333538, 10);
  });

  it('leaves a reserve of this slot, or of a later one, as it is', () => {
    const reserve = madeReserve();
    expect(accrueReserve(reserve, market, later(0n))).toBe(reserve);
    expect(accrueReserve(reserve, market, later(-1n))).toBe(reserve);
  });

  it('gives the host’s fixed rate to the protocol, and referrers their part of the variable rest', () => {
    const plain = madeReserve();
    const reserve = madeReserve({ config: { hostFixedInterestRateBps: 500 } });
    const { liquidity } = accrueReserve(reserve, madeMarket({ referralFeeBps: 2000 }), later(1n));
    const { liquidity: without } = accrueReserve(plain, market, later(1n));
    const fees = (each: typeof liquidity) => each.accumulatedProtocolFeesSf - plain.liquidity.accumulatedProtocolFeesSf;
    const host = plain.liquidity.borrowedAmountSf / 20n / 63_072_000n;
    // A slot's rate is cut off after sixty bits, and the debt is some 2^49 of them.
    const within = (ours: bigint, theirs: bigint) => expect(Number(ours - theirs)).toBeCloseTo(0, -3);
    within(micro(liquidity.borrowedAmountSf - without.borrowedAmountSf), micro(host));
    within(micro(liquidity.pendingReferrerFeesSf), micro(fees(without) / 5n));
    within(micro(fees(liquidity) + liquidity.pendingReferrerFeesSf), micro(host + fees(without)));
    expect(liquidity.absoluteReferralRateSf).toBe(SF_ONE / 50n);
  });

  it('counts seconds where the basis says so, and none before the first was noted', () => {
    const lastUpdate = { ...madeReserve().lastUpdate, timestamp: 1_762_201_837 };
    const reserve = madeReserve({ lastUpdate, config: { interestRateBasis: 1 } });
    const hour = { slot: START, unixTimestamp: 1_762_201_837n + 3600n };
    const gained = accrueReserve(reserve, market, hour).liquidity.borrowedAmountSf - reserve.liquidity.borrowedAmountSf;
    // Two slots to the second, so the same as 7200 of them.
    const bySlots = accrueReserve(madeReserve(), market, later(7200n)).liquidity.borrowedAmountSf;
    expect(Number(gained) / Number(bySlots - reserve.liquidity.borrowedAmountSf)).toBeCloseTo(1, 5);
    const unnoted = madeReserve({ config: { interestRateBasis: 1 } });
    expect(accrueReserve(unnoted, market, hour)).toBe(unnoted);
  });

  it.each([
    ['as much as is set', { config: 40_000n, available: U64_MAX, maxAprBps: 10_000 }, 4_000_000n],
    ['no more than the ceiling', { config: 40_000_000n, available: U64_MAX, maxAprBps: 1 }, 93_149n],
    ['no more than is left', { config: 40_000n, available: 17n, maxAprBps: 10_000 }, 17n],
    ['nothing without a ceiling', { config: 40_000n, available: U64_MAX, maxAprBps: 0 }, 0n],
  ])('pays out of the reserve’s own rewards %s', (_what, { config, available, maxAprBps }, paid) => {
    const reserve = madeReserve({
      liquidity: { rewardsAmountAvailable: available },
      config: { rewardsAmountPerSlot: config },
    });
    const { liquidity } = accrueReserve(reserve, madeMarket({ reserveRewardsMaxAprBps: maxAprBps }), later(100n));
    expect(liquidity.totalAvailableAmount - reserve.liquidity.totalAvailableAmount).toBe(paid);
    expect(liquidity.rewardsAmountAvailable).toBe(available - paid);
  });

  it('pays no rewards where nobody holds a receipt', () => {
    const reserve = madeReserve({
      liquidity: { rewardsAmountAvailable: 100n },
      collateral: { mintTotalSupply: 0n },
      config: { rewardsAmountPerSlot: 1n },
    });
    const { liquidity } = accrueReserve(reserve, madeMarket({ reserveRewardsMaxAprBps: 10_000 }), later(1n));
    expect(liquidity.rewardsAmountAvailable).toBe(100n);
  });

  it('carries a growing index over a word, and clears what follows it', () => {
    const index = { value: [U64_MAX, 0n, 0n, 0n], padding: new Uint8Array(16).fill(7) };
    const { liquidity } = accrueReserve(
      madeReserve({ liquidity: { cumulativeBorrowRateBsf: index } }),
      market,
      later(1000n),
    );
    expect(liquidity.cumulativeBorrowRateBsf.value.slice(1)).toEqual([1n, 0n, 0n]);
    expect(liquidity.cumulativeBorrowRateBsf.padding).toEqual(new Uint8Array(16));
  });
});

describe('growthOver', () => {
  const rate = SF_ONE / 10n;
  const once = SF_ONE + rate / 100n;
  const by = (left: bigint, right: bigint) => (left * right) >> 60n;

  it('is exact for up to four units', () => {
    const twice = by(once, once);
    expect([0n, 1n, 2n, 3n, 4n].map((units) => growthOver(rate, 100n, units))).toEqual([
      ...[SF_ONE, once, twice],
      ...[by(twice, once), by(twice, twice)],
    ]);
  });

  it('leaves out what is small from the fourth power on', () => {
    const exact = 1.001 ** 5;
    const growth = Number(growthOver(rate, 100n, 5n)) / Number(SF_ONE);
    expect(growth).toBeLessThan(exact);
    expect(growth).toBeCloseTo(exact, 10);
  });
});

describe('exchangeRateOf', () => {
  it('gives vectors K1 and P1: more than one token for a seasoned receipt', () => {
    expect(formatFraction(exchangeRateOf(madeReserve()) ?? 0n)).toMatch(/^1\.162232849488237/);
  });

  it('is one to one where there are no receipts', () => {
    expect(exchangeRateOf(madeReserve({ collateral: { mintTotalSupply: 0n } }))).toBe(10n ** 18n);
  });

  it('refuses fees beyond what there is', () => {
    expect(() => totalSupplySf(madeReserve({ liquidity: { accumulatedReferrerFeesSf: 1n << 110n } }))).toThrow(
      expect.objectContaining({ code: 'DECODE__VALUE_OUT_OF_RANGE' }),
    );
  });
});

describe('a deposit and its withdrawal', () => {
  const rate = cTokenRateOf(madeReserve());

  it('mints whole receipts, takes what they cost, and pays back no more', () => {
    const minted = cTokensOfLiquidity(rate, 1_000_000n);
    expect(minted).toBe(860_412n);
    expect(liquidityForCTokens(rate, minted)).toBe(1_000_000n);
    expect(liquidityOfCTokens(rate, minted)).toBe(999_999n);
  });

  it('takes a whole unit for the least part of one', () => {
    expect(liquidityForCTokens({ liquiditySf: (2n << 60n) + 1n, cTokens: 2n }, 1n)).toBe(2n);
  });

  it('takes nothing that would mint nothing', () => {
    expect(cTokensOfLiquidity(rate, 1n)).toBe(0n);
    expect(liquidityForCTokens(rate, 0n)).toBe(0n);
  });
});

const toNumber = (e18: bigint | null) => Number(e18) / 1e18;

describe('ratesOf', () => {
  it('gives vector K1 without regard to the clock', () => {
    const rates = ratesOf(madeReserve(), market, 500_000n);
    expect(formatFraction(rates.utilization ?? 0n)).toMatch(/^0\.779838231367821/);
    expect(formatFraction(rates.borrowApr ?? 0n)).toMatch(/^0\.03899191156839109/);
    expect(formatFraction(rates.depositApr ?? 0n)).toMatch(/^0\.027366645019630/);
    expect(rates).toMatchObject({ poolRewardApr: 0n, slotMicros: 500_000n });
  });

  it.each([
    [500_000n, [3.8991912, 3.9762074, 2.7366645, 2.7744551]],
    [400_000n, [4.8739889, 4.9947213, 3.4208306, 3.480014]],
    [350_000n, [5.5702731, 5.7283339, 3.9095207, 3.9869482]],
  ])('gives vector K1 where a slot lasts %s µs', (slotMicros, [borrowApr, borrowApy, supplyApr, supplyApy]) => {
    const rates = ratesOf(madeReserve(), market, slotMicros);
    expect(toNumber(rates.borrowApr) * 100).toBeCloseTo(borrowApr ?? 0, 7);
    expect(venueApy(toNumber(rates.borrowApr), 'kamino') * 100).toBeCloseTo(borrowApy ?? 0, 7);
    expect(toNumber(rates.depositApr) * 100).toBeCloseTo(supplyApr ?? 0, 7);
    expect(venueApy(toNumber(rates.depositApr), 'kamino') * 100).toBeCloseTo(supplyApy ?? 0, 7);
  });

  it('charges borrowers the host’s rate and gives depositors none of it', () => {
    const [plain, hosted] = [0, 100].map((hostFixedInterestRateBps) =>
      ratesOf(madeReserve({ config: { hostFixedInterestRateBps } }), market, 500_000n),
    );
    expect(toNumber(hosted?.borrowApr ?? 0n) - toNumber(plain?.borrowApr ?? 0n)).toBeCloseTo(0.01, 15);
    expect(hosted?.depositApr).toBe(plain?.depositApr);
  });

  it('leaves rates alone where the reserve counts seconds', () => {
    const rates = ratesOf(madeReserve({ config: { interestRateBasis: 1 } }), market, 350_000n);
    expect(formatFraction(rates.depositApr ?? 0n)).toMatch(/^0\.027366645019630/);
    expect(rates.slotMicros).toBeNull();
  });

  it.each([
    ['uncapped', 10_000, 0.0252288],
    ['capped', 200, 0.02],
  ])('gives vector K3, %s', (_what, reserveRewardsMaxAprBps, apr) => {
    const reserve = madeReserve({
      liquidity: {
        totalAvailableAmount: 10n ** 14n,
        borrowedAmountSf: 0n,
        accumulatedProtocolFeesSf: 0n,
        rewardsAmountAvailable: 1n,
      },
      config: { rewardsAmountPerSlot: 40_000n },
    });
    const at = (slotMicros: bigint) =>
      toNumber(ratesOf(reserve, madeMarket({ reserveRewardsMaxAprBps }), slotMicros).poolRewardApr);
    expect(at(500_000n)).toBeCloseTo(apr, 15);
    expect(at(400_000n)).toBeCloseTo(apr * 1.25, 15);
  });

  it('pays no rewards once what was set aside is paid out', () => {
    const reserve = madeReserve({ config: { rewardsAmountPerSlot: 40_000n } });
    expect(ratesOf(reserve, madeMarket({ reserveRewardsMaxAprBps: 200 }), 500_000n).poolRewardApr).toBe(0n);
  });

  it('shows no more than the whole as lent, and no rates on nothing', () => {
    const lent = madeReserve({ liquidity: { totalAvailableAmount: 0n } });
    expect(ratesOf(lent, market, 500_000n)).toMatchObject({
      utilization: 10n ** 18n,
      borrowApr: 299_999_999_999_999_999n,
    });
    const empty = madeReserve({
      liquidity: { totalAvailableAmount: 0n, borrowedAmountSf: 0n, accumulatedProtocolFeesSf: 0n },
    });
    expect(ratesOf(empty, market, 500_000n)).toMatchObject({ utilization: 0n, borrowApr: 0n, depositApr: 0n });
  });
});

describe('borrowRateOf', () => {
  const { borrowRateCurve } = madeReserve().config;

  it('gives the curve’s bits of vector K1', () => {
    const { borrowedAmountSf, accumulatedProtocolFeesSf, totalAvailableAmount } = madeReserve().liquidity;
    const supply = (totalAvailableAmount << 60n) + borrowedAmountSf - accumulatedProtocolFeesSf;
    expect(borrowRateOf(borrowRateCurve, utilizationOf(borrowedAmountSf, supply))).toBe(44_954_613_352_926_579n);
  });

  it('holds a knot’s rate half a basis point around it', () => {
    const knot = (SF_ONE * 9500n) / 10_000n;
    const halfPoint = SF_ONE / 20_000n;
    const atKnot = borrowRateOf(borrowRateCurve, knot);
    expect(borrowRateOf(borrowRateCurve, knot + halfPoint - 10n)).toBe(atKnot);
    expect(borrowRateOf(borrowRateCurve, knot - halfPoint + 10n)).toBe(atKnot);
    expect(borrowRateOf(borrowRateCurve, knot + halfPoint + 10n)).toBeGreaterThan(atKnot);
  });

  it('begins at the first point’s rate', () => {
    const points = borrowRateCurve.points.map((point, index) => (index === 0 ? { ...point, borrowRateBps: 8 } : point));
    const rates = [0n, SF_ONE / 30_000n, SF_ONE / 19_000n].map((use) => borrowRateOf({ points }, use));
    expect(rates[1]).toBe(rates[0]);
    expect(rates[2]).toBeGreaterThan(rates[0] ?? 0n);
  });

  it('stays at the last point above full use', () => {
    expect(borrowRateOf(borrowRateCurve, 2n * SF_ONE)).toBe((SF_ONE * 3000n) / 10_000n);
  });

  it('refuses a curve that has no segment for it', () => {
    const points = borrowRateCurve.points.map(() => ({ utilizationRateBps: 0, borrowRateBps: 0 }));
    expect(() => borrowRateOf({ points }, SF_ONE)).toThrow(
      expect.objectContaining({ code: 'DECODE__VALUE_OUT_OF_RANGE' }),
    );
  });
});

const moment = { slot: 377_723_091n, unixTimestamp: 1_762_201_837n, slotMicros: 400_000n };

/** The made farm's schedule with these points in place of its first. */
function scheduleOf(...first: readonly { readonly tsStart: bigint; readonly rewardPerTimeUnit: bigint }[]) {
  const points = madeFarm().rewardInfos[0]?.rewardScheduleCurve.points ?? expect.fail('No reward');
  return { rewardScheduleCurve: { points: points.map((point, index) => first[index] ?? point) } };
}

const BEGUN = { tsStart: 1_700_000_000n, rewardPerTimeUnit: 250_000_000_000n };

describe('farmIncentives', () => {
  it('gives vector K4: a quarter of a token a second', () => {
    const [incentive] = farmIncentives(madeFarm(), 'deposit', moment);
    expect(incentive).toEqual({ side: 'deposit', mint: USDC, amountPerYearBase: 7_884_000_000_000n, decimals: 6 });
    const apr = Number(incentive?.amountPerYearBase) / 587_510_686_270_000;
    expect(apr * 100).toBeCloseTo(1.34193304, 8);
    expect(((1 + apr / 365) ** 365 - 1) * 100).toBeCloseTo(1.35095237, 8);
  });

  it('pays every staked token where the reward is constant', () => {
    const farm = madeFarm({ totalStakedAmount: 1000n, reward: { rewardType: 1 } });
    expect(farmIncentives(farm, 'borrow', moment)).toMatchObject([
      { side: 'borrow', amountPerYearBase: 7_884_000_000_000_000n },
    ]);
  });

  it('brings rewards by the slot to the clock', () => {
    const farm = madeFarm({ timeUnit: 1, reward: scheduleOf({ ...BEGUN, tsStart: 300_000_000n }) });
    expect(farmIncentives(farm, 'deposit', moment)[0]?.amountPerYearBase).toBe(19_710_000_000_000n);
  });

  it('follows the schedule to the last point that has begun', () => {
    const next = { tsStart: moment.unixTimestamp, rewardPerTimeUnit: 1_000_000n };
    const farm = madeFarm({ reward: scheduleOf(BEGUN, next) });
    expect(farmIncentives(farm, 'deposit', moment)[0]?.amountPerYearBase).toBe(31_536_000n);
    expect(farmIncentives(farm, 'deposit', { ...moment, unixTimestamp: 1n })).toEqual([]);
  });

  it('counts what was issued since a refresh, point by point', () => {
    const next = { tsStart: moment.unixTimestamp - 10n, rewardPerTimeUnit: 500_000_000_000n };
    const schedule = { ...scheduleOf(BEGUN, next), lastIssuanceTs: moment.unixTimestamp - 20n };
    // Ten seconds of a quarter of a token, then ten of a half.
    const of = (rewardsAvailable: bigint) =>
      farmIncentives(madeFarm({ reward: { ...schedule, rewardsAvailable } }), 'deposit', moment);
    expect(of(7_500_000n)).toEqual([]);
    expect(of(7_500_001n)).toMatchObject([{ amountPerYearBase: 15_768_000_000_000n }]);
  });

  it('counts in slots where the farm does', () => {
    const schedule = {
      ...scheduleOf({ tsStart: 0n, rewardPerTimeUnit: 1_000_000n }),
      lastIssuanceTs: moment.slot - 9n,
    };
    const of = (rewardsAvailable: bigint) =>
      farmIncentives(madeFarm({ timeUnit: 1, reward: { ...schedule, rewardsAvailable } }), 'deposit', moment);
    expect(of(9n)).toEqual([]);
    expect(of(10n)).toHaveLength(1);
  });

  it.each([
    ['its rewards are used up', madeFarm({ reward: { rewardsAvailable: 0n } })],
    [
      'what was left has been issued since',
      madeFarm({ reward: { rewardsAvailable: 10_000_000n, lastIssuanceTs: 1_762_201_797n } }),
    ],
    [
      'a second of it is more than the program can issue',
      madeFarm({ reward: { rewardType: 1 }, totalStakedAmount: U64_MAX }),
    ],
    ['nobody stakes', madeFarm({ totalActiveStakeScaled: 0n })],
    ['it is frozen', madeFarm({ isFarmFrozen: 1 })],
    ['a price that is not among the accounts scales them', madeFarm({ scopeOraclePriceId: 3n })],
    ['it has no rewards', madeFarm({ numRewardTokens: 0n })],
    ['the rate rounds to nothing', madeFarm({ reward: { rewardsPerSecondDecimals: 19 } })],
  ])('is empty where %s', (_what, farm) => {
    expect(farmIncentives(farm, 'deposit', moment)).toEqual([]);
  });
});

const NOW = 1_762_201_837n;
const limits = (reserve = madeReserve(), market = madeMarket()) => limitsOf(reserve, statusOf(reserve, market), NOW);
const NO_WINDOW = {
  configCapacity: 0n,
  currentTotal: 0n,
  lastIntervalStartTimestamp: 0n,
  configIntervalLengthSeconds: 0n,
};

describe('limitsOf', () => {
  it('gives the rooms of vector K1', () => {
    expect(limits()).toEqual({
      depositLimitBase: 1_000_000_000_000_000n,
      depositRoomBase: 412_489_313_726_904n,
      borrowLimitBase: 700_000_000_000_000n,
      // Liquidity is what binds: 241,836,705.507093 are left of the limit, and 201,965,724.470554 of the window.
      borrowRoomBase: 129_639_221_256_987n,
      withdrawRoomBase: 129_639_221_256_987n,
    });
  });

  const liquidity = { totalAvailableAmount: 400_000_000_000_000n };
  it.each([
    ['the limit', { liquidity, config: { debtWithdrawalCap: NO_WINDOW } }, 241_836_705_507_093n],
    ['the window', { liquidity }, 201_965_724_470_554n],
    ['the limit outside elevation groups', { config: { borrowLimitOutsideElevationGroup: 5n } }, 5n],
    [
      'what is borrowed outside elevation groups',
      { borrowedAmountOutsideElevationGroup: 6n, config: { borrowLimitOutsideElevationGroup: 5n } },
      0n,
    ],
    ['full use to a percentage', { config: { utilizationLimitBlockBorrowingAbovePct: 80 } }, 11_845_254_525_570n],
    ['use above the percentage', { config: { utilizationLimitBlockBorrowingAbovePct: 70 } }, 0n],
    [
      'what the queue is owed',
      { withdrawQueue: { ...madeReserve().withdrawQueue, queuedCollateralAmount: 100_000_000_000_000n } },
      13_415_936_308_164n,
    ],
  ])('lets borrowers have no more than %s', (_what, fields, room) => {
    expect(limits(madeReserve(fields)).borrowRoomBase).toBe(room);
  });

  it('lets withdrawals have what the queue and the window leave', () => {
    const withdrawQueue = { ...madeReserve().withdrawQueue, queuedCollateralAmount: 500_000_000_000_000n };
    expect(limits(madeReserve({ withdrawQueue })).withdrawRoomBase).toBe(0n);
    expect(sizesOf(madeReserve({ withdrawQueue })).availableBase).toBe(0n);
    const depositWithdrawalCap = { ...madeReserve().config.depositWithdrawalCap, currentTotal: 199_999_999_999_990n };
    expect(limits(madeReserve({ config: { depositWithdrawalCap } })).withdrawRoomBase).toBe(10n);
  });

  it('names no limit where there is none', () => {
    const none = limits(madeReserve({ config: { depositLimit: U64_MAX, borrowLimit: U64_MAX } }));
    expect(none).toMatchObject({ depositLimitBase: null, depositRoomBase: null, borrowLimitBase: null });
  });

  it('has no room where nothing may be done', () => {
    const none = { depositRoomBase: 0n, borrowRoomBase: 0n };
    expect(limits(madeReserve(), madeMarket({ emergencyMode: 1 }))).toMatchObject({ ...none, withdrawRoomBase: 0n });
    expect(limits(madeReserve({ config: { status: 1 } }))).toMatchObject({
      ...none,
      withdrawRoomBase: 129_639_221_256_987n,
    });
    expect(limits(madeReserve(), madeMarket({ borrowDisabled: 1 }))).toMatchObject({
      depositRoomBase: 412_489_313_726_904n,
      borrowRoomBase: 0n,
    });
  });
});

describe('capRoom', () => {
  const cap = madeReserve().config.depositWithdrawalCap;

  it('gives what vector K1 has left: more than the capacity, for more came in than left', () => {
    expect(capRoom(cap, NOW)).toBe(200_354_446_203_304n);
    expect(capRoom(madeReserve().config.debtWithdrawalCap, NOW)).toBe(201_965_724_470_554n);
  });

  it.each([
    ['begins anew once its interval is over', { lastIntervalStartTimestamp: NOW - 86_400n }, 200_000_000_000_000n],
    ['goes on within its interval', { lastIntervalStartTimestamp: NOW - 86_399n }, 200_354_446_203_304n],
    ['lets nothing through at a negative capacity', { configCapacity: -1n }, 0n],
    ['lets nothing through once used up', { currentTotal: 200_000_000_000_001n }, 0n],
    ['lets anything through without an interval', { configIntervalLengthSeconds: 0n }, U64_MAX],
  ])('%s', (_what, fields, room) => {
    expect(capRoom({ ...cap, ...fields }, NOW)).toBe(room);
  });
});

describe('statusOf', () => {
  it('allows everything in an ordinary reserve, and in a hidden one', () => {
    for (const status of [0, 2]) {
      const reserve = madeReserve({ config: { status } });
      expect(statusOf(reserve, madeMarket())).toEqual({
        status: 'active',
        reasons: [],
        mayDeposit: true,
        mayBorrow: true,
        mayWithdraw: true,
      });
    }
  });

  it.each([
    ['suspended', 'version_deprecated', { version: 2n }, {}],
    ['suspended', 'market_emergency', {}, { emergencyMode: 1 }],
    ['suspended', 'reserve_emergency', { config: { emergencyMode: 1 } }, {}],
    ['unknown', 'status_unknown', { config: { status: 3 } }, {}],
    ['closed', 'obsolete', { config: { status: 1 } }, {}],
    ['closed', 'deposit_limit_zero', { config: { depositLimit: 0n } }, {}],
    ['restricted', 'borrow_limit_zero', { config: { borrowLimit: 0n } }, {}],
    ['restricted', 'borrows_disabled', {}, { borrowDisabled: 1 }],
    ['restricted', 'deposits_permissioned', { permissionedOps: 1n }, {}],
    ['restricted', 'borrows_permissioned', {}, { permissionedOps: 2n }],
  ])('says %s for %s', (status, reason, fields, market) => {
    expect(statusOf(madeReserve(fields), madeMarket(market))).toMatchObject({ status, reasons: [reason] });
  });

  it('lets the gravest reason decide and names all', () => {
    const reserve = madeReserve({ permissionedOps: 3n, config: { status: 1, borrowLimit: 0n } });
    expect(statusOf(reserve, madeMarket())).toEqual({
      status: 'closed',
      reasons: ['obsolete', 'borrow_limit_zero', 'deposits_permissioned', 'borrows_permissioned'],
      mayDeposit: false,
      mayBorrow: false,
      mayWithdraw: true,
    });
  });
});

import { venueApy } from '@lending/domain';
import {
  type DriftSpotMarket,
  driftSpotMarketLayout,
  KLEND_PROGRAM,
  type KlendReserve,
  type SolendReserve,
  solendReserveLayout,
} from '@lending/programs';
import { describe, expect, it } from 'vitest';
import { expectNear, float, powerError } from './compare.ts';
import { officialDrift, officialKamino, officialSave } from './official.ts';
import { madeKlendReserve, madeSolendReserve, madeSpotMarket, ourDrift, ourKamino, ourSave } from './our-readings.ts';

const SF_ONE = 2n ** 60n;
const WAD = 10n ** 18n;
const LAST_UPDATE = 1_700_000_000n;
const NO_LIMIT = 2n ** 64n - 1n;

/** A million tokens of which so many millionths are lent, at 5 % at 80 % use and 50 % at full use. */
function kamino(lentPpm: bigint, change: (reserve: KlendReserve) => Partial<KlendReserve> = () => ({})): Uint8Array {
  const total = 1_000_000_000_000n;
  const borrowed = (total * lentPpm) / 1_000_000n;
  const corners = [[0, 0], [8_000, 500], ...Array.from({ length: 9 }, () => [10_000, 5_000])] as const;
  const points = corners.map(([utilizationRateBps = 0, borrowRateBps = 0]) => ({ utilizationRateBps, borrowRateBps }));
  return madeKlendReserve((empty) => {
    const reserve: KlendReserve = {
      ...empty,
      ...{ version: 1n, lendingMarket: KLEND_PROGRAM },
      lastUpdate: { ...empty.lastUpdate, slot: 400_000_000n, timestamp: Number(LAST_UPDATE) },
      liquidity: { ...empty.liquidity, totalAvailableAmount: total - borrowed, borrowedAmountSf: borrowed * SF_ONE },
      collateral: { ...empty.collateral, mintTotalSupply: total },
      config: {
        ...empty.config,
        ...{ borrowRateCurve: { points }, protocolTakeRatePct: 10, depositLimit: NO_LIMIT, borrowLimit: NO_LIMIT },
        borrowLimitOutsideElevationGroup: NO_LIMIT,
      },
    };
    return { ...reserve, ...change(reserve) };
  });
}

const officially = (data: Uint8Array, slotMs = 400) => officialKamino(data, { slotMs, unixTimestamp: LAST_UPDATE });

describe('what klend-sdk is known to say otherwise', () => {
  it('follows the slope where the program holds a point of the curve half a basis point around it', () => {
    const beyond = kamino(800_040n);
    // 0.4 bps on the slope of 45 % in 20 %: nine thousandths of a percent above the point, at 400 ms.
    const slope = (0.00004 * 0.45) / 0.2;
    expect(float(ourKamino(beyond).rates.borrowApr)).toBe(0.0625);
    expect(officially(beyond).borrowApr).toBeCloseTo((0.05 + slope) * 1.25, 12);
    const onSlope = kamino(800_060n);
    expect(float(ourKamino(onSlope).rates.borrowApr)).toBeCloseTo(officially(onSlope).borrowApr, 12);
  });

  it('lets debts grow by the wall clock where the program counts two slots a second', () => {
    const data = kamino(800_000n);
    const slots = 216_000n;
    const ours = ourKamino(data, { slots }).sizes.borrowsBase - ourKamino(data).sizes.borrowsBase;
    const theirs = Number(officially(data).debtAfter(slots)) - Number(officially(data).borrows);
    // A quarter more at 400 ms, and a little for interest on it.
    expect(theirs / Number(ours)).toBeCloseTo(1.25, 3);
  });

  it('compounds within a gap, where the interest on interest of slow rates is lost in the program', () => {
    const data = kamino(800_000n);
    const [slots, debt] = [216_000n, 800_000_000_000];
    const ours = Number(ourKamino(data, { slots }).sizes.borrowsBase) - debt;
    const theirs = Number(officially(data, 500).debtAfter(slots)) - debt;
    const gap = (0.05 * Number(slots)) / 63_072_000;
    // The square of a slot's rate ends below 2^-60 for every rate under 5.87 % a year.
    expect(ours).toBe(Math.floor(debt * gap));
    expect(theirs - ours).toBeCloseTo((debt * gap ** 2) / 2, -1);
    const fast = kamino(900_000n);
    const [fastOurs, fastTheirs] = [
      ourKamino(fast, { slots }).sizes.borrowsBase,
      officially(fast, 500).debtAfter(slots),
    ];
    expectNear('fast debt', Number(fastOurs), Number(fastTheirs));
  });

  it('takes a reserve that counts seconds for one that counts slots', () => {
    const data = kamino(800_000n, ({ config }) => ({ config: { ...config, interestRateBasis: 1 } }));
    expect(float(ourKamino(data).rates.borrowApr)).toBe(0.05);
    expect(officially(data).borrowApr).toBeCloseTo(0.05 * 1.25, 12);
  });

  it('has a fixed-term rate that knows the first point alone, which is all such a curve has', () => {
    const flat = {
      points: Array.from({ length: 11 }, (_, at) => ({ utilizationRateBps: at * 1_000, borrowRateBps: 700 })),
    };
    const data = kamino(650_000n, ({ config }) => ({
      config: { ...config, borrowRateCurve: flat, debtTermSeconds: 2_592_000n },
    }));
    expectNear('fixed rate', float(ourKamino(data).rates.borrowApr), officially(data).fixedBorrowApr());
  });

  it('rounds the rate of a slot to a double, which moves the yields of low rates', () => {
    const data = kamino(16_000n);
    const { borrowApr } = ourKamino(data).rates;
    const [ours, theirs] = [venueApy(float(borrowApr), 'kamino'), officially(data).borrowApy];
    expect(float(borrowApr)).toBeCloseTo(0.00125, 15);
    expect(Math.abs(theirs / ours - 1)).toBeGreaterThan(1e-6);
    expect(Math.abs(theirs - ours)).toBeLessThan(powerError(ours));
  });

  it('keeps what fees have claimed from being borrowed, which the program lends', () => {
    const fees = 20_000_000_000n;
    const data = kamino(500_000n, ({ liquidity }) => ({
      liquidity: { ...liquidity, accumulatedProtocolFeesSf: fees * SF_ONE },
    }));
    expect(ourKamino(data).limits.borrowRoomBase).toBe(500_000_000_000n);
    expect(Number(officially(data).borrowRoom)).toBeCloseTo(500_000_000_000 - Number(fees), 0);
  });

  it('lends what the queue of withdrawals waits for, which the program keeps', () => {
    const data = kamino(500_000n, ({ withdrawQueue }) => ({
      withdrawQueue: { ...withdrawQueue, queuedCollateralAmount: 100_000_000_000n },
    }));
    expect(ourKamino(data).limits.borrowRoomBase).toBe(400_000_000_000n);
    expect(Number(officially(data).borrowRoom)).toBeCloseTo(500_000_000_000, 0);
  });

  it('counts the loans of a window that is over', () => {
    const window = { configCapacity: 300n, currentTotal: 200n, configIntervalLengthSeconds: 86_400n };
    const data = kamino(500_000n, ({ config }) => ({
      config: { ...config, debtWithdrawalCap: { ...window, lastIntervalStartTimestamp: LAST_UPDATE - 86_400n } },
    }));
    expect(ourKamino(data).limits.borrowRoomBase).toBe(300n);
    expect(Number(officially(data).borrowRoom)).toBe(100);
  });
});

/** A million tokens of which so many millionths are lent, at the rates 0, 8, 50 and 300 % at 0, 80, 95 and 100 % use. */
function save(lentPpm: bigint, change: Partial<SolendReserve> = {}): Uint8Array {
  const total = 1_000_000_000_000n;
  const borrowed = (total * lentPpm) / 1_000_000n;
  return madeSolendReserve((empty) => ({
    ...empty,
    lastUpdate: { ...empty.lastUpdate, slot: 400_000_000n },
    liquidity: {
      ...empty.liquidity,
      ...{ mintDecimals: 6, availableAmount: total - borrowed, borrowedAmountWads: borrowed * WAD },
    },
    collateral: { ...empty.collateral, mintTotalSupply: total },
    ...{ maxUtilizationRate: 95, superMaxBorrowRate: 300n },
    config: {
      ...empty.config,
      ...{ optimalUtilizationRate: 80, optimalBorrowRate: 8, maxBorrowRate: 50, protocolTakeRate: 20 },
      ...{ depositLimit: NO_LIMIT - 1n, borrowLimit: NO_LIMIT - 1n },
    },
    ...change,
  }));
}

const saveOfficially = (data: Uint8Array, { after = 0n, slotMs = 400 } = {}) =>
  officialSave(data, { slot: solendReserveLayout.decode(data).lastUpdate.slot + after, slotMs });

describe('what solend-sdk is known to say otherwise', () => {
  it('shows a use of what is left after fees, where the curve counts them as supply', () => {
    const data = save(800_000n, { accumulatedProtocolFeesWads: 10_000_000_000n * WAD });
    expect(float(ourSave(data).rates.utilization)).toBe(0.8);
    expect(saveOfficially(data).shownUtilization).toBeCloseTo(0.8 / 0.99, 12);
  });

  it('shows a yield whose slots are shortened after compounding, not before', () => {
    const data = save(800_000n);
    const ours = venueApy(float(ourSave(data).rates.depositApr), 'solend');
    const { shownDepositApy, nominalDepositApy } = saveOfficially(data);
    // 5.12 % a year: 6.608 % compounded on, against 1.25 times 5.253 %.
    expect(ours).toBeCloseTo(Math.expm1(0.0512 * 1.25), 8);
    expect(shownDepositApy).toBeCloseTo(nominalDepositApy * 1.25, 12);
    expect(ours - shownDepositApy).toBeGreaterThan(0.0004);
  });

  it('forgets a part of the running window, and keeps 1.5 % back', () => {
    const window = { windowDuration: 1_000n, maxOutflow: 10_000n, windowStart: 400_000_000n };
    const data = save(0n, {
      rateLimiter: { ...window, previousQuantity: 4_000n * WAD, currentQuantity: 1_000n * WAD },
    });
    const after = 499n;
    // Half the last window's 4,000 and all of this one's 1,000; the SDK takes half of both.
    expect(ourSave(data, { slots: after }).limits.withdrawRoomBase).toBe(7_000n);
    expect(saveOfficially(data, { after }).remainingOutflow).toBeCloseTo((10_000 - 2_500) * 0.985, 9);
  });
});

/** A hundred thousand tokens of which so many millionths are lent. */
function drift(lentPpm: bigint, change: Partial<DriftSpotMarket> = {}): Uint8Array {
  const scaled = 100_000_000_000_000n;
  return madeSpotMarket((empty) => ({
    ...empty,
    ...{ status: 1, decimals: 6, lastInterestTs: LAST_UPDATE, lastTwapTs: LAST_UPDATE },
    ...{ depositBalance: scaled, borrowBalance: (scaled * lentPpm) / 1_000_000n },
    ...{ cumulativeDepositInterest: 10_000_000_000n, cumulativeBorrowInterest: 10_000_000_000n },
    ...{ optimalUtilization: 800_000, optimalBorrowRate: 50_000, maxBorrowRate: 500_000 },
    ...{ depositTokenTwap: 100_000_000_000n, borrowTokenTwap: 50_000_000_000n, utilizationTwap: 900_000n },
    ...change,
  }));
}

describe("what Drift's SDK is known to say otherwise", () => {
  it('stops loans by other parts of the deposits than the program', () => {
    const data = drift(500_000n);
    // The average and a fifth of the deposits, against a seventh.
    expect(ourDrift(data).limits.borrowRoomBase).toBe(20_000_000_000n);
    expect(officialDrift(data).borrowRoom).toBe(14_285_714_285n);
    const eager = drift(500_000n, { borrowTokenTwap: 90_000_000_000n, utilizationTwap: 1_000_000n });
    // All but a fourteenth, against all but an eighth.
    expect(ourDrift(eager).limits.borrowRoomBase).toBe(50_000_000_000n - 7_142_857_142n);
    expect(officialDrift(eager).borrowRoom).toBe(37_500_000_000n);
  });

  it('has a rate where the curve turns back on itself and the program fails', () => {
    const data = drift(870_000n, { optimalUtilization: 860_000 });
    expect(ourDrift(data).rates).toMatchObject({ borrowApr: null, depositApr: null });
    expect(officialDrift(data).borrowRate).toBeGreaterThan(0n);
  });

  it('goes on naming a rate for a market that stands still', () => {
    const data = drift(500_000n);
    expect(officialDrift(data).depositRate).toBe(15_625n);
    const later = ourDrift(data, { seconds: 86_401n });
    expect(later).toMatchObject({ status: 'suspended', rates: { depositApr: null } });
    expect(driftSpotMarketLayout.decode(data).lastInterestTs).toBe(LAST_UPDATE);
  });
});

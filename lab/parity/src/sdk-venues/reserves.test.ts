import {
  type DriftSpotMarket,
  driftSpotMarketLayout,
  KLEND_PROGRAM,
  type KlendReserve,
  klendReserveLayout,
  type SolendReserve,
  solendReserveLayout,
} from '@lending/programs';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { openRecordings } from '#sdk/recordings.ts';
import { hasFixtures } from '../config.ts';
import { compareDrift, compareKamino, compareSave, reportDistances } from './compare.ts';
import { madeKlendReserve, madeSolendReserve, madeSpotMarket } from './our-readings.ts';

/** What is drawn for a reserve: it leaves the rest of the account as it is, which may be empty or somebody's real one. */
type Change<T> = (account: T) => T;

const SF_ONE = 2n ** 60n;
const WAD = 10n ** 18n;
const CURVE_POINTS = 11;
const U64_MAX = 2n ** 64n - 1n;

const amount = fc.bigInt({ min: 1_000_000n, max: 10n ** 17n });
/** In millionths: from nothing to all. */
const share = fc.bigInt({ min: 0n, max: 1_000_000n });
const percent = fc.integer({ min: 0, max: 100 });
const limit = fc.oneof(fc.constant(U64_MAX - 1n), fc.bigInt({ min: 1n, max: 10n ** 18n }));

/** Points from no use to full use, both ascending, the last one repeated to the end. */
const kaminoCurve = fc
  .record({
    uses: fc.uniqueArray(fc.integer({ min: 1, max: 9_999 }), { maxLength: CURVE_POINTS - 2 }),
    rates: fc.array(fc.integer({ min: 0, max: 30_000 }), { minLength: CURVE_POINTS, maxLength: CURVE_POINTS }),
  })
  .map(({ uses, rates }) => {
    const ascending = [0, ...uses.toSorted((a, b) => a - b), 10_000];
    const rising = rates.toSorted((a, b) => a - b);
    const points = ascending.map((utilizationRateBps, index) => ({
      utilizationRateBps,
      borrowRateBps: rising[index] ?? 0,
    }));
    const last = points.at(-1) ?? { utilizationRateBps: 10_000, borrowRateBps: 0 };
    return { points: [...points, ...Array.from({ length: CURVE_POINTS - points.length }, () => last)] };
  });

const window = fc.record({
  configCapacity: fc.bigInt({ min: 1n, max: 10n ** 15n }),
  currentTotal: fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }),
  configIntervalLengthSeconds: fc.constantFrom(0n, 86_400n),
});

/** Reserves that count slots, as the SDK takes all of them to do. Fees are less than what is lent. */
const kaminoChange: fc.Arbitrary<Change<KlendReserve>> = fc
  .record({
    ...{ total: amount, lent: share, fees: share, curve: kaminoCurve, takePct: percent, minted: share },
    ...{ fraction: fc.bigInt({ min: 0n, max: SF_ONE - 1n }), hostBps: fc.integer({ min: 0, max: 500 }) },
    ...{
      depositLimit: limit,
      borrowLimit: limit,
      outside: limit,
      depositCap: window,
      debtCap: window,
      capPct: percent,
    },
  })
  .map((drawn) => (reserve) => {
    const borrowedSf = ((drawn.total * drawn.lent) / 1_000_000n) * SF_ONE + drawn.fraction;
    const at = { lastIntervalStartTimestamp: BigInt(reserve.lastUpdate.timestamp) };
    return {
      ...reserve,
      version: 1n,
      borrowedAmountOutsideElevationGroup: borrowedSf / SF_ONE,
      liquidity: {
        ...reserve.liquidity,
        ...{
          totalAvailableAmount: drawn.total - (drawn.total * drawn.lent) / 1_000_000n,
          borrowedAmountSf: borrowedSf,
        },
        accumulatedProtocolFeesSf: (borrowedSf * drawn.fees) / 100_000_000n,
        accumulatedReferrerFeesSf: (borrowedSf * drawn.fees) / 1_000_000_000n,
        pendingReferrerFeesSf: (borrowedSf * drawn.fees) / 10_000_000_000n,
      },
      collateral: {
        ...reserve.collateral,
        mintTotalSupply: 1n + (drawn.total * (drawn.minted + 500_000n)) / 1_000_000n,
      },
      withdrawQueue: { ...reserve.withdrawQueue, queuedCollateralAmount: 0n },
      config: {
        ...reserve.config,
        ...{ status: 0, interestRateBasis: 0, emergencyMode: 0, protocolTakeRatePct: drawn.takePct },
        ...{ hostFixedInterestRateBps: drawn.hostBps, borrowRateCurve: drawn.curve },
        ...{ depositLimit: drawn.depositLimit, borrowLimit: drawn.borrowLimit },
        borrowLimitOutsideElevationGroup: drawn.outside,
        utilizationLimitBlockBorrowingAbovePct: drawn.capPct,
        depositWithdrawalCap: { ...drawn.depositCap, ...at },
        debtWithdrawalCap: { ...drawn.debtCap, ...at },
      },
    };
  });

/**
 * Terms that the program takes, or corrects: older reserves have nothing beyond the first two slopes. At an optimal use of 0 the rate jumps,
 * and a debt of less than 10^-18 of the pool decides whether it does.
 */
const saveChange: fc.Arbitrary<Change<SolendReserve>> = fc
  .record({
    ...{ total: amount, lent: share, fees: share, fraction: fc.bigInt({ min: 0n, max: WAD - 1n }), minted: share },
    ...{
      uses: fc.tuple(fc.integer({ min: 1, max: 100 }), percent),
      rates: fc.tuple(percent, percent, percent),
      most: fc.bigInt({ min: 0n, max: 2_000n }),
    },
    ...{ takePct: percent, depositLimit: limit, borrowLimit: limit, decimals: fc.constantFrom(5, 6, 8, 9) },
  })
  .map((drawn) => (reserve) => {
    const borrowed = ((drawn.total * drawn.lent) / 1_000_000n) * WAD + drawn.fraction;
    const [optimalUtilizationRate, maxUtilizationRate] = drawn.uses;
    const [minBorrowRate = 0, optimalBorrowRate = 0, maxBorrowRate = 0] = drawn.rates.toSorted((a, b) => a - b);
    return {
      ...reserve,
      liquidity: {
        ...reserve.liquidity,
        ...{ mintDecimals: drawn.decimals, borrowedAmountWads: borrowed },
        availableAmount: drawn.total - (drawn.total * drawn.lent) / 1_000_000n,
      },
      accumulatedProtocolFeesWads: (borrowed * drawn.fees) / 100_000_000n,
      collateral: {
        ...reserve.collateral,
        mintTotalSupply: 1n + (drawn.total * (drawn.minted + 500_000n)) / 1_000_000n,
      },
      rateLimiter: { ...reserve.rateLimiter, windowDuration: 0n },
      ...{ maxUtilizationRate, superMaxBorrowRate: drawn.most },
      config: {
        ...reserve.config,
        ...{ optimalUtilizationRate, minBorrowRate, optimalBorrowRate, maxBorrowRate },
        ...{ protocolTakeRate: drawn.takePct, depositLimit: drawn.depositLimit, borrowLimit: drawn.borrowLimit },
      },
    };
  });

const index = fc.bigInt({ min: 10n ** 10n, max: 3n * 10n ** 10n });
const millionths = fc.integer({ min: 0, max: 1_000_000 });

/** Curves that the program can evaluate everywhere, in markets that are in business. */
const driftChange: fc.Arbitrary<Change<DriftSpotMarket>> = fc
  .record({
    ...{ deposits: fc.bigInt({ min: 1_000n, max: 10n ** 18n }), lent: share, depositIndex: index, borrowIndex: index },
    ...{
      decimals: fc.constantFrom(5, 6, 8, 9),
      optimal: fc.integer({ min: 1, max: 850_000 }),
      optimalRate: millionths,
    },
    ...{
      extraRate: fc.integer({ min: 0, max: 20_000_000 }),
      minRate: fc.integer({ min: 0, max: 200 }),
      fund: millionths,
    },
    ...{ guard: share, depositTwap: share, borrowTwap: share, useTwap: share, poolId: fc.constantFrom(0, 1) },
  })
  .map((drawn) => (market) => {
    const of = (part: bigint) => (drawn.deposits * part) / 1_000_000n;
    return {
      ...market,
      ...{ status: 1, pausedOperations: 0, expiryTs: 0n, maxTokenBorrowsFraction: 0, poolId: drawn.poolId },
      ...{ decimals: drawn.decimals, depositBalance: drawn.deposits, borrowBalance: of(drawn.lent) },
      ...{ cumulativeDepositInterest: drawn.depositIndex, cumulativeBorrowInterest: drawn.borrowIndex },
      ...{ optimalUtilization: drawn.optimal, optimalBorrowRate: drawn.optimalRate, minBorrowRate: drawn.minRate },
      maxBorrowRate: drawn.optimalRate + drawn.extraRate,
      insuranceFund: { ...market.insuranceFund, totalFactor: drawn.fund },
      ...{ withdrawGuardThreshold: of(drawn.guard), depositTokenTwap: of(drawn.depositTwap) },
      ...{ borrowTokenTwap: of(drawn.borrowTwap), utilizationTwap: drawn.useTwap, lastTwapTs: market.lastInterestTs },
    };
  });

const recordedOf = (beginning: string) => accounts.filter(({ name }) => name.startsWith(beginning));

describe.skipIf(!hasFixtures)('official SDKs on real reserves (FIXTURES_DIR)', () => {
  it('finds the dumps of three venues', () => {
    const counts = ['klend/reserve', 'solend/reserve', 'drift/spot-market'].map(
      (beginning) => recordedOf(beginning).length,
    );
    expect(counts).toEqual([4, 1, 17]);
  });

  it.each(recordedOf('klend/reserve'))('klend-sdk says the same of $name', ({ account }) => {
    compareKamino(account.data);
  });

  it.each(recordedOf('solend/reserve'))('solend-sdk says the same of $name', ({ account }) => {
    compareSave(account.data);
  });

  it.each(recordedOf('drift/spot-market'))("Drift's SDK says the same of $name", ({ account }) => {
    compareDrift(account.data);
  });
});

const RUNS = 300;
const { accounts } = openRecordings();
/** Long before any account was read, and not before time began. */
const LAST_UPDATE = { slot: 400_000_000n, seconds: 1_700_000_000 };

/** An empty account and, where FIXTURES_DIR has them, real ones: whatever the draw does not touch stays as somebody wrote it. */
const basesOf = (empty: Uint8Array, beginning: string) =>
  fc.constantFrom(empty, ...recordedOf(beginning).map(({ account }) => account.data));

describe('official SDKs on drawn reserves', () => {
  afterAll(() => {
    console.info(`furthest apart, relative to the number: ${reportDistances().join(', ')}`);
  });

  it('klend-sdk says the same', () => {
    const empty = madeKlendReserve((reserve) => ({
      ...reserve,
      lendingMarket: KLEND_PROGRAM,
      lastUpdate: { ...reserve.lastUpdate, slot: LAST_UPDATE.slot, timestamp: LAST_UPDATE.seconds },
    }));
    check(basesOf(empty, 'klend/reserve'), kaminoChange, (base, change) => {
      const changed = change(klendReserveLayout.decode(base));
      compareKamino(Uint8Array.from(klendReserveLayout.encode(changed)));
    });
  });

  it('solend-sdk says the same', () => {
    const empty = madeSolendReserve((reserve) => ({
      ...reserve,
      lastUpdate: { ...reserve.lastUpdate, slot: LAST_UPDATE.slot },
    }));
    check(basesOf(empty, 'solend/reserve'), saveChange, (base, change) => {
      const changed = change(solendReserveLayout.decode(base));
      compareSave(Uint8Array.from(solendReserveLayout.encode(changed)));
    });
  });

  it("Drift's SDK says the same", () => {
    const empty = madeSpotMarket((market) => ({ ...market, lastInterestTs: BigInt(LAST_UPDATE.seconds) }));
    check(basesOf(empty, 'drift/spot-market'), driftChange, (base, change) => {
      const changed = change(driftSpotMarketLayout.decode(base));
      compareDrift(Uint8Array.from(driftSpotMarketLayout.encode(changed)));
    });
  });
});

function check<T>(
  bases: fc.Arbitrary<Uint8Array>,
  changes: fc.Arbitrary<Change<T>>,
  compare: (base: Uint8Array, change: Change<T>) => void,
): void {
  let compared = 0;
  fc.assert(
    fc.property(bases, changes, (base, change) => {
      compare(base, change);
      compared += 1;
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
  expect(compared).toBeGreaterThanOrEqual(RUNS);
}

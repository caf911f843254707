import { parseI80F48, type RiskBank } from '@lending/domain';
import fc from 'fast-check';
import { monthGrowthsOf } from '#month-growths.ts';
import type { StrategyBank, StrategyRates } from '#strategy-bank.ts';
import type { SwapCost } from '#swap-cost.ts';
import { madeBank, NOW_MS, usd } from './made-banks.ts';

/** Few of each, so that banks pair, swap and favour one another. */
const MINTS = ['Dollar', 'Euro', 'Sol', 'Staked', 'Coin'] as const;
const CLASS_OF_MINT = { Dollar: 'dollar', Euro: 'other', Sol: 'sol', Staked: 'sol', Coin: 'other' } as const;

export interface Market {
  readonly banks: readonly StrategyBank[];
  readonly swapCosts: readonly SwapCost[];
}

const range = (min: string, max: string) => fc.bigInt(parseI80F48(min), parseI80F48(max));
const rate = fc.option(fc.double({ min: -5, max: 60, noNaN: true }), { freq: 8 });
const anyRates: fc.Arbitrary<StrategyRates> = fc.record({
  interestDeposit: rate,
  totalBorrow: rate,
  native: rate,
  emissionsDeposit: rate,
});
/** Dust, cents and millions: rooms are seldom full to the last unit. */
const anyUsd = fc.oneof(
  fc.constantFrom(0n, 1n, -5n, usd(100), usd(1_000)),
  fc.bigInt(0n, usd(10)),
  fc.bigInt(0n, usd(50_000_000)),
);
const room = fc.option(anyUsd, { freq: 5 });

/** Weights as a bank may have them, and at times ones that set no bound. */
const anyRisk: fc.Arbitrary<Partial<RiskBank>> = fc
  .record({
    assetTag: fc.constantFrom(0, 0, 1, 2, 3, 77),
    riskTier: fc.constantFrom<RiskBank['riskTier']>('Collateral', 'Collateral', 'Collateral', 'Isolated'),
    assetInit: range('0', '1.3'),
    assetAdded: range('0', '0.3'),
    liabilityMaint: range('1', '1.5'),
    liabilityAdded: range('0', '0.5'),
    tag: fc.integer({ min: 0, max: 3 }),
    entries: fc.uniqueArray(
      fc.record({
        collateralTag: fc.integer({ min: 1, max: 3 }),
        assetWeightInit: range('0', '1.1'),
        assetWeightMaint: range('0', '1.2'),
      }),
      { maxLength: 3, selector: ({ collateralTag }) => collateralTag },
    ),
  })
  .map(({ assetTag, riskTier, assetInit, assetAdded, liabilityMaint, liabilityAdded, tag, entries }) => ({
    assetTag,
    riskTier,
    weights: {
      assetInit,
      assetMaint: assetInit + assetAdded,
      liabilityInit: liabilityMaint + liabilityAdded,
      liabilityMaint,
    },
    emode: { tag, entries },
  }));

/** Two to four months of prices, wild and at times missing. A market that fails a test is not made smaller by its prices. */
const anyGrowths = fc.noShrink(
  fc.option(
    fc
      .array(fc.bigInt(0n, 10n ** 21n), { minLength: 60, maxLength: 120, size: 'max' })
      .map((prices) => monthGrowthsOf(prices.map((priceE18, day) => ({ day, priceE18 })))),
    { freq: 3 },
  ),
);

const anyBank: fc.Arbitrary<StrategyBank> = fc
  .record({
    monthGrowths: anyGrowths,
    group: fc.constantFrom('Group', 'Group', 'Group', 'Other'),
    mint: fc.constantFrom(...MINTS),
    venue: fc.constantFrom<StrategyBank['venue']>('p0', 'p0', 'kamino'),
    takesDeposits: fc.boolean(),
    lendsOut: fc.boolean(),
    blockedBy: fc.constantFrom<StrategyBank['blockedBy']>(
      null,
      null,
      null,
      null,
      'stale_price',
      'circuit_breaker',
      'paused_group',
    ),
    risk: anyRisk,
    originationFee: range('0', '0.02'),
    now: anyRates,
    week: anyRates,
    month: anyRates,
    depositRoomUsd: room,
    borrowRoomUsd: room,
    liquidityUsd: room,
  })
  .map(({ originationFee, now, week, month, ...made }) => ({
    ...madeBank({ ...made, assetClass: CLASS_OF_MINT[made.mint] }),
    originationFee,
    rates: { now, week, month },
  }));

const anySwapCost: fc.Arbitrary<SwapCost> = fc
  .record({
    inMint: fc.constantFrom(...MINTS),
    outMint: fc.constantFrom(...MINTS),
    sizes: fc.uniqueArray(fc.integer({ min: 1, max: 1_000_000 }), { maxLength: 4 }),
    firstBps: fc.double({ min: -20, max: 100, noNaN: true }),
    stepBps: fc.double({ min: 0, max: 100, noNaN: true }),
    depthUsd: room,
    ageMs: fc.integer({ min: 0, max: 3 * 86_400_000 }),
  })
  .map(({ inMint, outMint, sizes, firstBps, stepBps, depthUsd, ageMs }) => ({
    inMint,
    outMint,
    rungs: sizes
      .sort((one, other) => one - other)
      .map((sizeUsd, index) => ({ sizeUsd, costBps: firstBps + index * stepBps })),
    depthUsd: depthUsd !== null && depthUsd < 0n ? 0n : depthUsd,
    quotedAtMs: NOW_MS - ageMs,
  }));

/** Banks and swaps as they come out of rows, all of it possibly unknown. At most one quote for two mints. */
export const anyMarket: fc.Arbitrary<Market> = fc.record({
  banks: fc
    .array(anyBank, { minLength: 2, maxLength: 7 })
    .map((banks) => banks.map((bank, index) => ({ ...bank, address: `Bank${index}` }))),
  swapCosts: fc.uniqueArray(anySwapCost, { maxLength: 12, selector: ({ inMint, outMint }) => `${inMint}>${outMint}` }),
});

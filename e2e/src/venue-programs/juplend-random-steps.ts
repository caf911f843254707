import fc from 'fast-check';
import type { Step } from './juplend-steps.ts';
import { PROTOCOLS, START_TIME, USERS } from './juplend-world.ts';

const ALL = (1n << 64n) - 1n;
const users = fc.constantFrom(...USERS);
const protocols = fc.constantFrom(...PROTOCOLS);

/** Around what programs look at: nothing, the smallest movement, what there is, and more. */
const amounts = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(0n, 1n, 9n, 10n, 11n, ALL, ALL - 1n, 1n << 63n) },
  { weight: 6, arbitrary: fc.bigInt({ min: 1n, max: 60_000_000_000n }) },
  { weight: 2, arbitrary: fc.bigInt({ min: 1n, max: 2_000_000_000_000n }) },
);
const signed = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0n) },
  { weight: 6, arbitrary: fc.bigInt({ min: -40_000_000_000n, max: 40_000_000_000n }) },
  { weight: 1, arbitrary: fc.constantFrom(-10n, -9n, 9n, 10n, -(1n << 63n), 1n << 63n, 10n ** 12n) },
);

const time = fc.record({
  kind: fc.constant('time' as const),
  seconds: fc.oneof(fc.bigInt({ min: 1n, max: 7_200n }), fc.bigInt({ min: 1n, max: 40_000_000n })),
});
const earn = fc.record({
  kind: fc.constant('earn' as const),
  op: fc.constantFrom('deposit' as const, 'mint' as const, 'withdraw' as const, 'redeem' as const),
  user: users,
  amount: amounts,
  namesClaim: fc.boolean(),
});
const operate = fc.record(
  {
    kind: fc.constant('operate' as const),
    protocol: protocols,
    supply: signed,
    borrow: signed,
    sent: fc.oneof(
      { weight: 8, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.bigInt({ min: 0n, max: 41_000_000_000n }) },
    ),
    transferType: fc.oneof({ weight: 8, arbitrary: fc.constant(1) }, fc.constantFrom(0, 1, 2)),
    hasClaims: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true)),
  },
  { requiredKeys: ['kind', 'protocol', 'supply', 'borrow', 'transferType', 'hasClaims'] },
);

const basis = fc.integer({ min: 0, max: 10_000 });
const anyU16 = fc.integer({ min: 0, max: 65_535 });
const totals = fc.bigInt({ min: 0n, max: 900_000_000_000n });
const setReserve = fc.record({
  kind: fc.constant('set' as const),
  account: fc.constant('reserve' as const),
  fields: fc.record(
    {
      borrowRate: anyU16,
      feeOnInterest: basis,
      maxUtilization: basis,
      lastUtilization: fc.integer({ min: 0, max: 12_000 }),
      totalSupplyWithInterest: totals,
      totalSupplyInterestFree: totals,
      totalBorrowWithInterest: totals,
      totalBorrowInterestFree: totals,
      totalClaimAmount: fc.bigInt({ min: 0n, max: 200_000_000_000n }),
    },
    { requiredKeys: [] },
  ),
});
/** So large that steps leave the programs' widths. */
const setExtremes = fc.record({
  kind: fc.constant('set' as const),
  account: fc.constant('reserve' as const),
  fields: fc.record(
    {
      supplyExchangePrice: fc.constantFrom(1_030_000_000_000n, 1n << 60n, ALL - 5n),
      borrowExchangePrice: fc.constantFrom(1_045_000_000_000n, 1n << 62n, ALL - 5n),
      totalSupplyWithInterest: fc.constantFrom(1n, (1n << 60n) - 1n, ALL),
      totalBorrowWithInterest: fc.constantFrom(1n, (1n << 60n) - 1n, ALL),
    },
    { requiredKeys: [] },
  ),
});
const position = fc.record(
  {
    withInterest: fc.constantFrom(0, 1),
    withdrawalLimit: fc.bigInt({ min: 0n, max: 330_000_000_000n }),
    expandPct: basis,
    expandDuration: fc.integer({ min: 1, max: 100_000 }),
    baseWithdrawalLimit: fc.bigInt({ min: 0n, max: 400_000_000_000n }),
    status: fc.constantFrom(0, 0, 0, 1, 2),
  },
  { requiredKeys: [] },
);
const setPosition = fc.record({
  kind: fc.constant('set' as const),
  account: fc.constantFrom('position' as const, 'vaultSupply' as const),
  fields: position,
});
const setBorrow = fc.record({
  kind: fc.constant('set' as const),
  account: fc.constant('vaultBorrow' as const),
  fields: fc.record(
    {
      withInterest: fc.constantFrom(0, 1),
      debtCeiling: fc.bigInt({ min: 0n, max: 400_000_000_000n }),
      expandPct: basis,
      expandDuration: fc.integer({ min: 1, max: 100_000 }),
      baseDebtCeiling: fc.bigInt({ min: 0n, max: 400_000_000_000n }),
      maxDebtCeiling: fc.bigInt({ min: 0n, max: 500_000_000_000n }),
      status: fc.constantFrom(0, 0, 0, 1, 2),
    },
    { requiredKeys: [] },
  ),
});
/** Kinks that an administrator can set. */
const setModel = fc
  .tuple(fc.constantFrom(1, 2, 2, 2, 3), fc.integer({ min: 1, max: 9_998 }), anyU16, anyU16, anyU16, anyU16)
  .chain(([version, kink1Utilization, rateAtZero, rateAtKink1, rateAtKink2, rateAtMax]) =>
    fc.integer({ min: kink1Utilization + 1, max: 9_999 }).map((kink2Utilization) => ({
      kind: 'set' as const,
      account: 'model' as const,
      fields: { version, kink1Utilization, kink2Utilization, rateAtZero, rateAtKink1, rateAtKink2, rateAtMax },
    })),
  );
const setRewards = fc.record({
  kind: fc.constant('set' as const),
  account: fc.constant('rewards' as const),
  fields: fc.record(
    {
      startTvl: fc.bigInt({ min: 0n, max: 700_000_000_000n }),
      startTime: fc.oneof(fc.constant(0n), fc.bigInt({ min: START_TIME - 10_000n, max: START_TIME + 100_000n })),
      duration: fc.bigInt({ min: 0n, max: 100_000n }),
      yearlyReward: fc.bigInt({ min: 0n, max: 900_000_000_000n }),
      nextDuration: fc.bigInt({ min: 0n, max: 100_000n }),
      nextRewardAmount: fc.oneof(fc.constant(0n), fc.bigInt({ min: 1n, max: 900_000_000n })),
    },
    { requiredKeys: ['startTime', 'duration', 'yearlyReward'] },
  ),
});
const setLocked = fc.record({
  kind: fc.constant('set' as const),
  account: fc.constant('liquidity' as const),
  fields: fc.record({ status: fc.boolean() }),
});

export const randomSteps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 14, arbitrary: earn },
    { weight: 10, arbitrary: operate },
    { weight: 6, arbitrary: time },
    { weight: 3, arbitrary: fc.constant({ kind: 'updateRate' as const }) },
    { weight: 3, arbitrary: fc.constant({ kind: 'updateExchangePrice' as const }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('initClaim' as const), user: protocols }) },
    { weight: 2, arbitrary: setReserve },
    { weight: 2, arbitrary: setPosition },
    { weight: 1, arbitrary: setBorrow },
    { weight: 1, arbitrary: setModel },
    { weight: 3, arbitrary: setRewards },
  ) as fc.Arbitrary<Step>,
  { minLength: 10, maxLength: 30 },
);

/** The same with figures that no pool has, and a layer that is locked now and then. */
export const randomExtremes: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: earn },
    { weight: 8, arbitrary: operate },
    { weight: 4, arbitrary: time },
    { weight: 4, arbitrary: fc.constant({ kind: 'updateExchangePrice' as const }) },
    { weight: 2, arbitrary: fc.constant({ kind: 'updateRate' as const }) },
    { weight: 4, arbitrary: setExtremes },
    { weight: 1, arbitrary: setLocked },
  ) as fc.Arbitrary<Step>,
  { minLength: 4, maxLength: 12 },
);

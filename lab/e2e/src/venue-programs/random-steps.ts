import fc, { type Arbitrary } from 'fast-check';
import { PAYER } from '../real-program/addresses.ts';
import * as juplend from './juplend.ts';
import * as kamino from './kamino.ts';
import * as solend from './solend.ts';
import { bent, type Call, type Fields, START_TIME, type Step, send, time, U64_MAX, USERS, walletOf } from './venue.ts';

/** What people, time and an administrator do at random: each venue’s moves, and terms and totals as they might have come to be. */

type Steps = readonly Step[];
const user = fc.constantFrom(...USERS);
const percent = fc.integer({ min: 0, max: 100 });
const basis = fc.integer({ min: 0, max: 10_000 });
const anyU16 = fc.integer({ min: 0, max: 65_535 });

/** Some of them often, some seldom. */
const weighted = (...choices: readonly (readonly [weight: number, Arbitrary<Step | Steps>])[]): Arbitrary<Steps> =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary: arbitrary.map((steps) => [steps].flat()) })));
const sequence = (moves: Arbitrary<Steps>, minLength: number, maxLength: number): Arbitrary<Steps> =>
  fc.array(moves, { minLength, maxLength, size: 'max' }).map((steps) => steps.flat());
/** Some fields of them, or none. */
const some = <T extends object>(fields: { readonly [TName in keyof T]: Arbitrary<T[TName]> }): Arbitrary<Partial<T>> =>
  fc.record(fields as { [TName in keyof T]: Arbitrary<T[TName]> }, { requiredKeys: [] }) as Arbitrary<Partial<T>>;
/** As often small as large: the number of digits is even. */
const digits = (most: number): Arbitrary<bigint> =>
  fc.tuple(fc.nat({ max: most }), fc.bigInt(1n, 99n)).map(([zeros, head]) => head * 10n ** BigInt(zeros) + 7n);
const passing = (...most: readonly bigint[]): Arbitrary<Step> =>
  fc.oneof(...most.map((seconds) => fc.bigInt(1n, seconds))).map(time);

const kaminoReserve = fc.constantFrom(...kamino.NAMES);
const kaminoUnits = (reserve: kamino.ReserveName, most: bigint) =>
  fc.bigInt(0n, most).map((whole) => whole * kamino.UNIT[reserve]);

/** Not all into a reserve: the public program looks at limits before it looks whether the cTokens can be counted. */
const kaminoMove: Arbitrary<Step> = fc
  .tuple(user, kaminoReserve, fc.constantFrom(kamino.supply, kamino.redeem, kamino.deposit, kamino.withdraw))
  .chain(([who, reserve, move]) => {
    const isEntry = move === kamino.supply || move === kamino.deposit;
    const rest = isEntry ? fc.constant(0n) : fc.constantFrom(0n, U64_MAX);
    const amount = fc.oneof({ weight: 8, arbitrary: digits(14) }, { weight: 1, arbitrary: rest });
    return amount.map((base) => move(who, reserve, base));
  });

const kaminoTerms: Arbitrary<Step> = kaminoReserve.chain((reserve) =>
  fc
    .oneof(
      fc
        .tuple(kaminoUnits(reserve, 40_000_000n), fc.bigInt(0n, kamino.SF - 1n))
        .map(([whole, part]) => ({ liquidity: { borrowedAmountSf: whole * kamino.SF + part } })),
      some({
        protocolTakeRatePct: percent,
        hostFixedInterestRateBps: fc.integer({ min: 0, max: 3_000 }),
        depositLimit: fc.oneof(kaminoUnits(reserve, 60_000_000n), fc.constant(U64_MAX)),
        borrowLimit: kaminoUnits(reserve, 60_000_000n),
        status: fc.constantFrom(0, 0, 1, 2),
        depositWithdrawalCap: fc.record({
          configCapacity: fc.oneof(kaminoUnits(reserve, 1_000_000n), fc.constant(-1n)),
          currentTotal: fc.bigInt(-(10n ** 15n), 10n ** 15n),
          lastIntervalStartTimestamp: fc.bigInt(START_TIME - 100_000n, START_TIME + 10_000n),
          configIntervalLengthSeconds: fc.constantFrom(0n, 100n, 3_600n, kamino.DAY),
        }),
      }).map((config) => ({ config })),
      fc.constantFrom(0n, 1n << 40n, 1n << 60n, 1n << 70n).map((marketPriceSf) => ({ liquidity: { marketPriceSf } })),
    )
    .map((fields) => kamino.setReserve(reserve, fields as Fields<never>)),
);

/** As borrowers might leave it; the vault holds a little more, or now and then less. */
const kaminoHoldings: Arbitrary<Steps> = kaminoReserve.chain((reserve) =>
  fc
    .tuple(kaminoUnits(reserve, 40_000_000n), fc.constantFrom(0n, 777n, 777n, 777n, -1n))
    .map(([available, extra]) => [
      kamino.setReserve(reserve, { liquidity: { totalAvailableAmount: available } }),
      kamino.setVault(reserve, available + extra < 0n ? 0n : available + extra),
    ]),
);

export const randomKamino: Arbitrary<Steps> = sequence(
  weighted(
    [8, kaminoMove],
    [1, fc.array(kaminoReserve, { maxLength: 4 }).map((reserves) => kamino.refreshBatch(...reserves))],
    [1, fc.uniqueArray(kaminoReserve, { minLength: 1 }).map((reserves) => send(...reserves.map(kamino.refresh)))],
    [4, passing(3n, 3_600n, 20_000n)],
    [1, kaminoTerms],
    [
      1,
      fc
        .record({
          referralFeeBps: basis,
          minNetValueInObligationSf: fc.constantFrom(0n, 1n << 50n, 1n << 62n),
        })
        .map(kamino.setMarket),
    ],
    [1, kaminoHoldings],
  ),
  5,
  25,
).map((steps) => [...USERS.flatMap((who) => [kamino.initMetadata(who), kamino.initObligation(who)]), ...steps]);

const solendReserve = fc.constantFrom(...solend.NAMES);
const solendAmount = fc.oneof(
  { weight: 8, arbitrary: digits(15) },
  { weight: 2, arbitrary: fc.constant(U64_MAX) },
  { weight: 1, arbitrary: fc.constantFrom(0n, 1n, 2n, 3n) },
);
const solendMove = fc
  .tuple(
    fc.constantFrom(solend.supply, solend.redeem, solend.deposit, solend.withdraw),
    user,
    solendReserve,
    solendAmount,
  )
  .map(([move, who, reserve, amount]): Call => move(who, reserve, amount));

/** Accounts that stand somewhere else. */
const strangers = [
  ...[PAYER, solend.MARKET],
  ...solend.NAMES.flatMap((name) => [solend.RESERVES[name].address, ...Object.values(solend.poolAccounts(name))]),
  ...USERS.flatMap((who) => [
    ...[walletOf(who), solend.obligationOf(who)],
    ...solend.NAMES.flatMap((name) => Object.values(solend.heldBy(who, name))),
  ]),
];
const bentSolend = fc
  .tuple(
    solendMove,
    fc.nat({ max: 13 }),
    fc.constantFrom(...strangers),
    fc.constantFrom('swap', 'unsigned', 'drop', 'tail'),
  )
  .map(([call, position, account, how]) => {
    const bends = { swap: [position, account], unsigned: position, drop: true, tail: account } as const;
    return bent(call, { [how]: bends[how] });
  });

const solendLimiter = fc
  .tuple(fc.oneof(fc.constant(U64_MAX), solendAmount), fc.constantFrom(0n, 1n, 7n, 100n, 5_000n))
  .map(([most, duration]) => solend.limiter(most, duration));

const solendTerms: Arbitrary<Step> = solendReserve.chain((reserve) =>
  fc.oneof(
    fc
      .tuple(percent, percent, fc.tuple(percent, percent, percent), fc.nat({ max: 400 }))
      .map(([one, other, rates, beyond]) => {
        const [minBorrowRate = 0, optimalBorrowRate = 0, maxBorrowRate = 0] = rates.toSorted((a, b) => a - b);
        const optimalUtilizationRate = Math.min(one, other);
        return solend.setReserve(reserve, {
          config: { optimalUtilizationRate, minBorrowRate, optimalBorrowRate, maxBorrowRate },
          maxUtilizationRate: Math.max(one, other),
          superMaxBorrowRate: BigInt(beyond),
        });
      }),
    some({
      loanToValueRatio: percent,
      liquidationThreshold: percent,
      protocolTakeRate: percent,
      depositLimit: solendAmount,
      borrowLimit: solendAmount,
    }).map((config) => solend.setReserve(reserve, { config } as Fields<never>)),
    fc
      .record({ addedBorrowWeightBps: fc.constantFrom(0n, 500n, 20_000n, U64_MAX) })
      .map((fields) => solend.setReserve(reserve, fields)),
    solendLimiter.map((rateLimiter) => solend.setReserve(reserve, { rateLimiter })),
    solendLimiter.map((rateLimiter) => solend.setMarket({ rateLimiter })),
    fc.tuple(fc.nat({ max: 9 }), fc.nat({ max: 9 })).map(([attributed, limit]) =>
      solend.setReserve(reserve, {
        attributedBorrowValue: BigInt(attributed) * solend.WAD,
        attributedBorrowLimitOpen: BigInt(limit),
      }),
    ),
    // A run on the reserve: what is left of what is there.
    percent.map((left) =>
      solend.setReserve(reserve, ({ liquidity: { availableAmount, borrowedAmountWads } }) => {
        const remaining = (availableAmount * BigInt(left)) / 100n;
        const lent = (availableAmount - remaining) * solend.WAD;
        return { liquidity: { availableAmount: remaining, borrowedAmountWads: borrowedAmountWads + lent } };
      }),
    ),
  ),
);

const solendTime: Arbitrary<Step> = passing(1n, 200n, 2_000_000n);

/** What is put in and taken back: a part, all or more of it. */
const roundTrips: Arbitrary<Steps> = fc
  .tuple(user, solendReserve, solendAmount, solendAmount, solendTime)
  .map(([who, reserve, first, second, later]) => [
    ...[solend.refreshAll(who), solend.supply(who, reserve, first % 10n ** 13n), later, ...solend.publishAll],
    ...[solend.refreshAll(who), solend.redeem(who, reserve, second)],
  ]);

/** Obligations are set up and filled, then anything happens. */
export const randomSolend: Arbitrary<Steps> = sequence(
  weighted(
    [8, fc.tuple(solendMove, user).map(([call, who]) => [solend.refreshAll(who), call])],
    [4, roundTrips],
    [5, solendMove],
    [3, fc.tuple(bentSolend, user).map(([call, who]) => [solend.refreshAll(who), call])],
    [3, solendTime.map((later) => [later, ...solend.publishAll])],
    [1, solendTime],
    [
      2,
      fc
        .tuple(solendReserve, fc.bigInt(1n, 10n ** 12n), fc.boolean())
        .map(([reserve, price, unsure]) => solend.publish(reserve, { price, unsure })),
    ],
    [2, solendTerms],
    [
      1,
      fc.tuple(solendReserve, user).map(([reserve, who]) => [solend.refresh(reserve), solend.refreshObligation(who)]),
    ],
  ),
  10,
  30,
).map((steps) => [
  ...USERS.flatMap((who, index) => [
    ...[solend.init(who), solend.deposit(who, solend.NAMES[index] ?? 'usd', 10n ** 11n)],
    solend.deposit(who, 'alt', 10n ** 12n + 1n),
  ]),
  ...steps,
]);

/** Around what the programs look at: nothing, the smallest movement, what there is, and more. */
const juplendAmount = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(0n, 1n, 9n, 10n, 11n, U64_MAX, U64_MAX - 1n, 1n << 63n) },
  { weight: 6, arbitrary: fc.bigInt(1n, 60_000_000_000n) },
  { weight: 2, arbitrary: fc.bigInt(1n, 2_000_000_000_000n) },
);
const juplendMove = fc
  .tuple(fc.constantFrom(juplend.deposit, juplend.withdraw, juplend.redeem), user, juplendAmount)
  .map(([move, who, amount]): Step => move(who, amount));
const juplendUpdate = fc.constantFrom<Step>(juplend.updateRate, juplend.updateExchangePrice);
const totals = fc.bigInt(0n, 900_000_000_000n);

const juplendTerms: Arbitrary<Step> = fc.oneof(
  some({
    ...{ borrowRate: anyU16, feeOnInterest: basis, lastUtilization: fc.integer({ min: 0, max: 12_000 }) },
    ...{ totalSupplyWithInterest: totals, totalSupplyInterestFree: totals },
    ...{ totalBorrowWithInterest: totals, totalBorrowInterestFree: totals },
    totalClaimAmount: fc.bigInt(0n, 200_000_000_000n),
  }).map(juplend.setReserve),
  some({
    ...{ withdrawalLimit: fc.bigInt(0n, 330_000_000_000n), baseWithdrawalLimit: fc.bigInt(0n, 400_000_000_000n) },
    ...{ expandPct: basis, expandDuration: fc.integer({ min: 1, max: 100_000 }) },
    status: fc.constantFrom(0, 0, 0, 1, 2),
  }).map(juplend.setPosition),
  // Kinks that an administrator can set.
  fc
    .record({
      ...{ version: fc.constantFrom(1, 2, 2, 2, 3), kink1Utilization: fc.integer({ min: 1, max: 4_999 }) },
      ...{ kink2Utilization: fc.integer({ min: 5_000, max: 9_999 }), rateAtZero: anyU16, rateAtKink1: anyU16 },
      ...{ rateAtKink2: anyU16, rateAtMax: anyU16 },
    })
    .map(juplend.setModel),
  some({
    startTvl: fc.bigInt(0n, 700_000_000_000n),
    startTime: fc.oneof(fc.constant(0n), fc.bigInt(START_TIME - 10_000n, START_TIME + 100_000n)),
    ...{ duration: fc.bigInt(0n, 100_000n), yearlyReward: fc.bigInt(0n, 900_000_000_000n) },
    nextDuration: fc.bigInt(0n, 100_000n),
    nextRewardAmount: fc.oneof(fc.constant(0n), fc.bigInt(1n, 900_000_000n)),
  }).map(juplend.setRewards),
);

/** Figures that no pool has, so large that steps leave the programs’ widths, and a layer that is locked now and then. */
const juplendExtremes: Arbitrary<Step> = fc.oneof(
  some({
    supplyExchangePrice: fc.constantFrom(1_030_000_000_000n, 1n << 60n, U64_MAX - 5n),
    borrowExchangePrice: fc.constantFrom(1_045_000_000_000n, 1n << 62n, U64_MAX - 5n),
    totalSupplyWithInterest: fc.constantFrom(1n, (1n << 60n) - 1n, U64_MAX),
    totalBorrowWithInterest: fc.constantFrom(1n, (1n << 60n) - 1n, U64_MAX),
  }).map(juplend.setReserve),
  fc.boolean().map((status) => juplend.setLiquidity({ status })),
);

const juplendTime = passing(7_200n, 40_000_000n);
export const randomJuplend: Arbitrary<Steps> = fc.oneof(
  sequence(
    weighted(
      [20, juplendMove],
      [6, juplendTime],
      [6, juplendUpdate],
      [1, user.map(juplend.initClaim)],
      [9, juplendTerms],
    ),
    10,
    30,
  ),
  sequence(weighted([12, juplendMove], [4, juplendTime], [6, juplendUpdate], [5, juplendExtremes]), 4, 12),
);

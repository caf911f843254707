import fc, { type Arbitrary } from 'fast-check';
import { PAYER } from '../real-program/addresses.ts';
import { refreshAll, type Step } from './solend-steps.ts';
import {
  FEEDS,
  type FeedName,
  feedAddress,
  holdingsOf,
  MARKET,
  obligationOf,
  poolOf,
  RESERVES,
  type ReserveName,
  USERS,
  type User,
  walletOf,
} from './solend-world.ts';

const ALL = 2n ** 64n - 1n;
const WAD = 10n ** 18n;
const user = fc.constantFrom<User>(...USERS);
const reserve = fc.constantFrom<ReserveName>(...RESERVES);
const feed = fc.constantFrom<FeedName>(...FEEDS);
const percent = fc.integer({ min: 0, max: 100 });

/** As often small as large: the number of digits is even. */
const amount: Arbitrary<bigint> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.nat({ max: 15 }), fc.bigInt(1n, 99n))
      .map(([digits, head]) => head * 10n ** BigInt(digits) + 7n),
  },
  { weight: 2, arbitrary: fc.constant(ALL) },
  { weight: 1, arbitrary: fc.constantFrom(0n, 1n, 2n, 3n) },
);

const actions: Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('deposit', 'redeem', 'supply', 'supply', 'withdraw', 'withdraw', 'borrow', 'borrow', 'repay'),
  user,
  reserve,
  amount,
}) as Arbitrary<Step>;

/** Accounts that stand somewhere else. */
const strangers = [
  PAYER,
  MARKET,
  ...RESERVES.flatMap((name) => Object.values(poolOf(name))),
  ...USERS.flatMap((name) => [
    walletOf(name),
    obligationOf(name),
    ...RESERVES.flatMap((each) => Object.values(holdingsOf(name, each))),
  ]),
  ...FEEDS.map(feedAddress),
];
const bentActions: Arbitrary<Step> = fc
  .tuple(
    actions,
    fc.nat({ max: 13 }),
    fc.constantFrom(...strangers),
    fc.constantFrom('swap', 'unsigned', 'drop', 'tail'),
  )
  .map(([step, position, account, bend]): Step => {
    switch (bend) {
      case 'swap':
        return { ...step, swap: [position, account] };
      case 'unsigned':
        return { ...step, unsigned: position };
      case 'drop':
        return { ...step, tail: 'drop' };
      default:
        return { ...step, tail: [account] };
    }
  });

const limiter = fc.record({
  maxOutflow: fc.oneof(fc.constant(ALL), amount),
  windowDuration: fc.constantFrom(0n, 1n, 7n, 100n, 5_000n),
  previousQuantity: fc.constant(0n),
  windowStart: fc.constant(0n),
  currentQuantity: fc.constant(0n),
});

/** Terms as an administrator could set them. */
const terms: Arbitrary<Step> = fc.oneof(
  fc
    .tuple(reserve, percent, percent, fc.array(percent, { minLength: 3, maxLength: 3 }), fc.nat({ max: 400 }))
    .map(([name, one, other, rates, beyond]): Step => {
      const [minBorrowRate, optimalBorrowRate, maxBorrowRate] = rates.toSorted((a, b) => a - b) as [
        number,
        number,
        number,
      ];
      return {
        kind: 'setReserve',
        reserve: name,
        fields: ({ config }) => ({
          config: {
            ...config,
            optimalUtilizationRate: Math.min(one, other),
            minBorrowRate,
            optimalBorrowRate,
            maxBorrowRate,
          },
          maxUtilizationRate: Math.max(one, other),
          superMaxBorrowRate: BigInt(beyond),
        }),
      };
    }),
  fc.tuple(reserve, percent, percent, percent).map(
    ([name, loanToValueRatio, liquidationThreshold, protocolTakeRate]): Step => ({
      kind: 'setReserve',
      reserve: name,
      fields: ({ config }) => ({ config: { ...config, loanToValueRatio, liquidationThreshold, protocolTakeRate } }),
    }),
  ),
  fc.tuple(reserve, amount, amount).map(
    ([name, depositLimit, borrowLimit]): Step => ({
      kind: 'setReserve',
      reserve: name,
      fields: ({ config }) => ({ config: { ...config, depositLimit, borrowLimit } }),
    }),
  ),
  fc
    .tuple(reserve, fc.constantFrom(0n, 500n, 20_000n, ALL), fc.bigInt(-3_000n, 3_000n), fc.constantFrom(0, 0, 0, 1))
    .map(
      ([name, addedBorrowWeightBps, scaledPriceOffsetBps, reserveType]): Step => ({
        kind: 'setReserve',
        reserve: name,
        fields: () => ({ addedBorrowWeightBps, scaledPriceOffsetBps, reserveType }),
      }),
    ),
  fc.tuple(reserve, fc.bigInt(0n, 10n ** 17n), percent).map(
    ([name, borrowFeeWad, hostFeePercentage]): Step => ({
      kind: 'setReserve',
      reserve: name,
      fields: ({ config }) => ({ config: { ...config, fees: { ...config.fees, borrowFeeWad, hostFeePercentage } } }),
    }),
  ),
  fc.tuple(reserve, fc.nat({ max: 9 }), fc.nat({ max: 9 })).map(
    ([name, open, close]): Step => ({
      kind: 'setReserve',
      reserve: name,
      fields: () => ({
        attributedBorrowLimitOpen: open === 0 ? 0n : 10n ** BigInt(open),
        attributedBorrowLimitClose: close === 0 ? 0n : 10n ** BigInt(close),
      }),
    }),
  ),
  fc
    .tuple(reserve, limiter)
    .map(([name, rateLimiter]): Step => ({ kind: 'setReserve', reserve: name, fields: () => ({ rateLimiter }) })),
  limiter.map((rateLimiter): Step => ({ kind: 'setMarket', fields: () => ({ rateLimiter }) })),
  // A run on the reserve: what is left of what is there.
  fc.tuple(reserve, percent).map(
    ([name, left]): Step => ({
      kind: 'setReserve',
      reserve: name,
      fields: ({ liquidity }) => ({
        liquidity: {
          ...liquidity,
          borrowedAmountWads:
            liquidity.borrowedAmountWads +
            (liquidity.availableAmount - (liquidity.availableAmount * BigInt(left)) / 100n) * WAD,
          availableAmount: (liquidity.availableAmount * BigInt(left)) / 100n,
        },
      }),
    }),
  ),
);

const publishAll: readonly Step[] = FEEDS.map((name) => ({ kind: 'publish', feed: name }));
const seconds = fc.oneof(fc.constant(1n), fc.bigInt(1n, 200n), fc.bigInt(1n, 2_000_000n));

/** What is taken and given back: a part, all or more of it. */
const roundTrips: Arbitrary<readonly Step[]> = fc
  .record({ user, reserve, first: amount, second: amount, passed: seconds, isLoan: fc.boolean() })
  .map(({ first, second, passed, isLoan, ...who }): readonly Step[] => [
    ...refreshAll(who.user),
    { kind: isLoan ? 'borrow' : 'deposit', ...who, amount: isLoan ? first % 10n ** 11n : first % 10n ** 13n },
    { kind: 'time', seconds: passed },
    ...publishAll,
    ...refreshAll(who.user),
    { kind: isLoan ? 'repay' : 'redeem', ...who, amount: second },
  ]);

/** Moves of the chain, as one step or a few that belong together. */
const moves: Arbitrary<readonly Step[]> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(actions, user)
      .map(([step, who]) => [...refreshAll(...('user' in step ? [step.user] : [who])), step]),
  },
  { weight: 4, arbitrary: roundTrips },
  { weight: 5, arbitrary: actions.map((step) => [step]) },
  { weight: 3, arbitrary: bentActions.map((step) => [...refreshAll(...('user' in step ? [step.user] : [])), step]) },
  {
    weight: 3,
    arbitrary: seconds.map((passed): readonly Step[] => [{ kind: 'time', seconds: passed }, ...publishAll]),
  },
  { weight: 1, arbitrary: seconds.map((passed): readonly Step[] => [{ kind: 'time', seconds: passed }]) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(feed, fc.bigInt(1n, 10n ** 12n), fc.boolean())
      .map(([name, price, unsure]): readonly Step[] => [{ kind: 'publish', feed: name, price, unsure }]),
  },
  { weight: 2, arbitrary: terms.map((step) => [step]) },
  {
    weight: 1,
    arbitrary: fc.tuple(reserve, user).map(([name, who]): readonly Step[] => [
      { kind: 'refresh', reserve: name },
      { kind: 'refreshObligation', user: who },
    ]),
  },
);

/** Obligations are set up and filled, then anything happens. */
export const randomSteps: Arbitrary<readonly Step[]> = fc
  .array(moves, { minLength: 10, maxLength: 30 })
  .map((sequence) => [
    ...USERS.map((name): Step => ({ kind: 'init', user: name })),
    ...USERS.flatMap((name, index): Step[] => [
      { kind: 'supply', user: name, reserve: RESERVES[index % 3] ?? 'usd', amount: 10n ** 11n },
      { kind: 'supply', user: name, reserve: RESERVES[(index + 1) % 3] ?? 'usd', amount: 10n ** 12n + 1n },
    ]),
    ...sequence.flat(),
  ]);

import { NO_KEY, RENT_SYSVAR, TOKEN_2022_PROGRAM } from '@lending/programs';
import { PAYER } from '../real-program/addresses.ts';
import { refreshAll, type Step, type StepResult } from './solend-steps.ts';
import {
  feedAddress,
  holdingsOf,
  MARKET,
  obligationOf,
  poolOf,
  type ReserveName,
  type User,
  walletOf,
} from './solend-world.ts';

/** Steps with what each must come to: an error number of the program, a name of the runtime's, or null. */
export interface Scenario {
  readonly name: string;
  readonly steps: readonly (readonly [Step, StepResult['error']])[];
}

const ALL = 2n ** 64n - 1n;
const WAD = 10n ** 18n;
const USD = 10n ** 6n;
const SOL = 10n ** 9n;
const ALT = 10n ** 8n;
const MINUTE = 60n;

const fine = (...steps: readonly Step[]) => steps.map((step) => [step, null] as const);
const time = (seconds: bigint): Step => ({ kind: 'time', seconds });
const act =
  (kind: 'deposit' | 'redeem' | 'supply' | 'withdraw' | 'borrow' | 'repay') =>
  (user: User, reserve: ReserveName, amount: bigint, more: Partial<Step> = {}): Step =>
    ({ kind, user, reserve, amount, ...more }) as Step;
const [deposit, redeem, supply, withdraw, borrow, repay] = [
  act('deposit'),
  act('redeem'),
  act('supply'),
  act('withdraw'),
  act('borrow'),
  act('repay'),
] as const;
const init = (user: User): Step => ({ kind: 'init', user });
const refresh = (reserve: ReserveName, more: Partial<Step> = {}): Step =>
  ({ kind: 'refresh', reserve, ...more }) as Step;
const refreshObligation = (user: User, more: Partial<Step> = {}): Step =>
  ({ kind: 'refreshObligation', user, ...more }) as Step;
type Fields<TKind extends Step['kind']> =
  Extract<Step, { kind: TKind }> extends { fields: infer TFields } ? TFields : never;
const setReserve = (reserve: ReserveName, fields: Fields<'setReserve'>): Step => ({
  kind: 'setReserve',
  reserve,
  fields,
});
const setMarket = (fields: Fields<'setMarket'>): Step => ({ kind: 'setMarket', fields });
const setObligation = (user: User, fields: Fields<'setObligation'>): Step => ({ kind: 'setObligation', user, fields });
const publishAll: readonly Step[] = (['usdPyth', 'solFeed', 'altPyth', 'altFeed', 'altExtra'] as const).map((feed) => ({
  kind: 'publish',
  feed,
}));
/** Time passes, prices are published, and all there is is refreshed. */
const later = (seconds: bigint, ...users: readonly User[]) =>
  fine(time(seconds), ...publishAll, ...refreshAll(...users));
/** Ann has USD and ALT under her obligation. */
const opened = fine(
  init('ann'),
  supply('ann', 'usd', 50_000n * USD),
  supply('ann', 'alt', 10_000n * ALT + 7n),
  ...refreshAll('ann'),
);
const limiter = (maxOutflow: bigint, windowDuration = 1_000n) => ({
  maxOutflow,
  windowDuration,
  previousQuantity: 0n,
  windowStart: 0n,
  currentQuantity: 0n,
});

const LENDING: readonly Scenario[] = [
  {
    name: 'tokens become receipts and receipts tokens, with interest in between',
    steps: [
      ...fine(
        deposit('ann', 'usd', 1_000n * USD + 1n),
        deposit('bob', 'sol', 3n * SOL),
        deposit('cyd', 'alt', 5n * ALT),
      ),
      ...later(MINUTE),
      ...fine(redeem('ann', 'usd', 7n), redeem('bob', 'sol', SOL)),
      ...later(86_400n),
      ...fine(redeem('ann', 'usd', 500n * USD), refresh('usd'), redeem('ann', 'usd', 1n)),
      ...fine(deposit('ann', 'usd', 1n), time(1n), deposit('ann', 'usd', 2n), deposit('bob', 'usd', 3n)),
    ],
  },
  {
    name: 'interest over a year, a slot and none',
    steps: [
      ...fine(refresh('usd'), refresh('usd'), time(1n), refresh('usd')),
      ...later(31_536_000n),
      ...later(1n),
      ...fine(setReserve('usd', ({ liquidity }) => ({ liquidity: { ...liquidity, availableAmount: 0n } }))),
      ...later(3_600n),
      ...fine(setReserve('usd', ({ liquidity }) => ({ liquidity: { ...liquidity, borrowedAmountWads: 0n } }))),
      [refresh('usd'), null],
      [time(1n), null],
      // Nothing is there but what the protocol has taken.
      [refresh('usd'), 14],
    ],
  },
  {
    name: 'an empty reserve gives a receipt for a token',
    steps: fine(
      setReserve('usd', ({ liquidity, collateral }) => ({
        liquidity: { ...liquidity, availableAmount: 0n, borrowedAmountWads: 0n },
        collateral: { ...collateral, mintTotalSupply: 0n },
        accumulatedProtocolFeesWads: 0n,
      })),
      refresh('usd'),
      deposit('ann', 'usd', 12_345n),
      refresh('usd'),
      redeem('ann', 'usd', 45n),
    ),
  },
  {
    name: 'every slope of the curve',
    steps: [30n, 60n, 61n, 85n, 86n, 99n, 100n].flatMap((lent) =>
      fine(
        setReserve('usd', ({ liquidity }) => ({
          liquidity: { ...liquidity, availableAmount: (100n - lent) * USD, borrowedAmountWads: lent * USD * WAD },
          accumulatedProtocolFeesWads: 0n,
        })),
        time(30n),
        ...publishAll,
        refresh('usd'),
        setReserve('alt', ({ liquidity }) => ({
          liquidity: { ...liquidity, availableAmount: (100n - lent) * ALT, borrowedAmountWads: lent * ALT * WAD },
          accumulatedProtocolFeesWads: 0n,
        })),
        refresh('alt'),
      ),
    ),
  },
  {
    name: 'deposits up to the limit',
    steps: [
      [refresh('usd'), null],
      [deposit('ann', 'usd', 0n), 10],
      [supply('ann', 'usd', 0n), 10],
      [setReserve('usd', ({ config }) => ({ config: { ...config, depositLimit: 10_000_000n * USD } })), null],
      [deposit('ann', 'usd', 1_000n * USD + 1_000_000n), 10],
      [deposit('ann', 'usd', 900n * USD), null],
      [deposit('ann', 'usd', 100n * USD), 10],
    ],
  },
  {
    name: 'more than there is cannot be redeemed',
    steps: [
      ...fine(deposit('ann', 'usd', 1_000n * USD), redeem('ann', 'usd', 1n), refresh('usd')),
      [redeem('ann', 'usd', 0n), 10],
      [redeem('bob', 'usd', 1n), 1],
      [redeem('ann', 'usd', ALL), 14],
      [setReserve('usd', ({ liquidity }) => ({ liquidity: { ...liquidity, availableAmount: 10n } })), null],
      [redeem('ann', 'usd', 100n * USD), 20],
      // Interest comes by itself, prices do not.
      [time(1n), null],
      [redeem('ann', 'usd', 1n), null],
      [deposit('ann', 'usd', 10n ** 15n), 10],
      [setReserve('usd', ({ config }) => ({ config: { ...config, depositLimit: ALL } })), null],
      [deposit('ann', 'usd', 10n ** 15n), 1],
      [deposit('ann', 'usd', ALL), 14],
    ],
  },
];

const OBLIGATIONS: readonly Scenario[] = [
  {
    name: 'an obligation is set up once, by its owner',
    steps: [
      [{ kind: 'init', user: 'ann', unsigned: 2 }, 12],
      [{ kind: 'init', user: 'ann', swap: [3, NO_KEY] }, 'InvalidArgument'],
      [{ kind: 'init', user: 'ann', swap: [4, TOKEN_2022_PROGRAM] }, 9],
      [{ kind: 'init', user: 'ann', swap: [1, poolOf('usd').reserve] }, 'InvalidAccountData'],
      [{ kind: 'init', user: 'ann', swap: [0, poolOf('usd').reserve] }, 'InvalidAccountData'],
      [{ kind: 'init', user: 'ann', tail: 'drop' }, 'NotEnoughAccountKeys'],
      [refreshObligation('ann'), 'UninitializedAccount'],
      [supply('ann', 'usd', 1n), 'UninitializedAccount'],
      [init('ann'), null],
      [init('ann'), 1],
      [refreshObligation('ann'), null],
      [refreshObligation('ann', { tail: [poolOf('usd').reserve] }), 13],
    ],
  },
  {
    name: 'deposits and withdrawals through an obligation, as P0 makes them',
    steps: [
      ...fine(init('ann'), supply('ann', 'usd', 1_000n * USD)),
      ...later(MINUTE, 'ann'),
      ...fine(supply('ann', 'usd', 77n), refresh('usd'), refreshObligation('ann'), withdraw('ann', 'usd', 1n)),
      ...fine(...refreshAll('ann')),
      [withdraw('ann', 'usd', 0n), 24],
      [withdraw('ann', 'sol', 1n), 37],
      [withdraw('ann', 'usd', 300n * USD), null],
      ...later(3_600n, 'ann'),
      [withdraw('ann', 'usd', ALL), null],
      ...fine(...refreshAll('ann')),
      [withdraw('ann', 'usd', 1n), 33],
    ],
  },
  {
    name: 'without debts nothing has to be refreshed before a withdrawal',
    steps: [
      ...fine(
        init('ann'),
        supply('ann', 'usd', 1_000n * USD),
        withdraw('ann', 'usd', 1n),
        withdraw('ann', 'usd', 5n * USD),
      ),
      ...fine(time(MINUTE), withdraw('ann', 'usd', 7n * USD), supply('ann', 'alt', 9n * ALT), time(3_600n)),
      ...fine(
        withdraw('ann', 'alt', ALL),
        setMarket(() => ({ rateLimiter: limiter(100n) })),
      ),
      // What the window lets leave is counted before the interest, and paid out with it.
      [withdraw('ann', 'usd', ALL), 54],
      ...fine({ kind: 'publish', feed: 'usdPyth' }, refresh('usd'), withdraw('ann', 'usd', ALL)),
      [withdraw('ann', 'usd', ALL), 24],
    ],
  },
  {
    name: 'a withdrawal is worth a hundred billion USD at most',
    steps: [
      ...fine(init('ann'), supply('ann', 'usd', 9_000_000n * USD), supply('ann', 'alt', 5n * ALT)),
      ...fine(
        setReserve('usd', ({ liquidity }) => ({
          liquidity: { ...liquidity, marketPrice: 10n ** 6n * WAD },
          smoothedMarketPrice: 3n * 10n ** 6n * WAD,
        })),
      ),
      ...fine(withdraw('ann', 'usd', ALL), withdraw('ann', 'usd', ALL)),
    ],
  },
  {
    name: 'with debts everything has to be refreshed before a withdrawal',
    steps: [
      ...opened,
      ...fine(borrow('ann', 'sol', SOL), ...refreshAll('ann'), deposit('bob', 'usd', 5n)),
      [withdraw('ann', 'usd', 1n), 22],
      [refresh('usd'), null],
      [withdraw('ann', 'usd', 1n), null],
      [refresh('usd'), null],
      [withdraw('ann', 'usd', 1n), 30],
      [time(1n), null],
      [withdraw('ann', 'usd', 1n), 22],
      ...fine(...refreshAll()),
      [withdraw('ann', 'usd', 1n), 30],
      ...fine(refreshObligation('ann'), withdraw('ann', 'usd', 1n)),
    ],
  },
  {
    name: 'what leaves the middle of the list leaves its bytes behind',
    steps: [
      ...fine(
        init('ann'),
        supply('ann', 'usd', 1_000n * USD),
        supply('ann', 'sol', SOL),
        supply('ann', 'alt', 9n * ALT),
      ),
      ...later(MINUTE, 'ann'),
      ...fine(withdraw('ann', 'sol', ALL), ...refreshAll('ann'), withdraw('ann', 'usd', ALL)),
      ...fine(...refreshAll('ann'), supply('ann', 'sol', 5n), ...refreshAll('ann'), withdraw('ann', 'alt', ALL)),
    ],
  },
  {
    name: 'reserves are named in the obligation’s order, refreshed in its slot',
    steps: [
      ...opened,
      [refreshObligation('ann', { swap: [1, poolOf('alt').reserve] }), 13],
      [refreshObligation('ann', { swap: [1, MARKET] }), 13],
      [refreshObligation('ann', { swap: [1, holdingsOf('ann', 'usd').tokens] }), 5],
      [refreshObligation('ann', { tail: 'drop' }), 'NotEnoughAccountKeys'],
      [time(1n), null],
      [refreshObligation('ann'), 22],
      [refresh('usd'), null],
      [refreshObligation('ann'), 22],
      [refresh('alt'), null],
      [refreshObligation('ann'), null],
      [withdraw('ann', 'usd', 1n, { tail: 'drop' }), 'NotEnoughAccountKeys'],
      [withdraw('ann', 'usd', 1n, { swap: [12, poolOf('alt').reserve] }), 13],
      [withdraw('ann', 'usd', 1n, { tail: [PAYER] }), null],
    ],
  },
];

const DEBTS: readonly Scenario[] = [
  {
    name: 'a loan, its interest and its repayment',
    steps: [
      ...opened,
      ...fine(borrow('ann', 'sol', 100n * SOL)),
      ...later(86_400n, 'ann'),
      ...fine(borrow('ann', 'sol', SOL), ...refreshAll('ann'), borrow('ann', 'usd', 1_000n * USD)),
      ...later(600n, 'ann'),
      ...fine(repay('ann', 'sol', 5n * SOL), repay('bob', 'sol', SOL, { swap: [3, obligationOf('ann')] })),
      ...fine(time(1n), repay('ann', 'sol', ALL)),
      [repay('ann', 'sol', 1n), 38],
      ...later(10n, 'ann'),
      ...fine(repay('ann', 'usd', 2_000n * USD)),
      [repay('ann', 'usd', 1n), 34],
      ...fine(...refreshAll('ann')),
    ],
  },
  {
    name: 'as much as possible, with and without a host',
    steps: [
      ...opened,
      [borrow('ann', 'sol', ALL, { tail: [poolOf('sol').hostFees] }), null],
      ...fine(...refreshAll('ann')),
      [borrow('ann', 'sol', ALL), 25],
      [withdraw('ann', 'usd', ALL), 24],
      ...fine(repay('ann', 'sol', 50n * SOL), ...refreshAll('ann')),
      [borrow('ann', 'alt', ALL, { tail: [poolOf('alt').hostFees] }), null],
      ...fine(repay('ann', 'alt', 100n * ALT), ...refreshAll('ann'), withdraw('ann', 'usd', ALL)),
      ...fine(
        repay('ann', 'sol', ALL),
        ...refreshAll('ann'),
        borrow('ann', 'usd', 10n * USD, { tail: [poolOf('usd').hostFees] }),
      ),
    ],
  },
  {
    name: 'what a loan must not be',
    steps: [
      ...opened,
      ...fine(init('bob'), refreshObligation('bob')),
      [borrow('bob', 'usd', 5n), 33],
      [borrow('ann', 'usd', 0n), 10],
      [borrow('ann', 'usd', 1n), 25],
      [borrow('ann', 'usd', 2n), 25],
      [borrow('ann', 'usd', 3n), null],
      [borrow('ann', 'usd', 3n), 22],
      [refresh('usd'), null],
      [borrow('ann', 'usd', 3n), 30],
      [refreshObligation('ann'), null],
      [borrow('ann', 'usd', 10_000_000n * USD), 26],
      [borrow('ann', 'usd', 5n, { swap: [3, poolOf('sol').feeReceiver] }), 13],
      [borrow('ann', 'usd', 5n, { swap: [0, poolOf('sol').liquiditySupply] }), 13],
      [borrow('ann', 'usd', 5n, { swap: [1, poolOf('usd').liquiditySupply] }), 13],
      [borrow('ann', 'usd', 5n, { swap: [6, PAYER] }), 3],
      [borrow('ann', 'usd', 5n, { swap: [7, walletOf('bob')] }), 32],
      [borrow('ann', 'usd', 5n, { unsigned: 7 }), 12],
      [borrow('ann', 'usd', 5n, { tail: 'drop' }), 'NotEnoughAccountKeys'],
      [setReserve('usd', ({ config }) => ({ config: { ...config, borrowLimit: 5_001_000n * USD } })), null],
      [borrow('ann', 'usd', 2_000n * USD), 10],
      [borrow('ann', 'usd', ALL), null],
      ...fine(...refreshAll('ann')),
      [setReserve('usd', ({ config }) => ({ config: { ...config, borrowLimit: 1n } })), null],
      [borrow('ann', 'usd', ALL), 25],
      [setObligation('ann', () => ({ depositedValue: 0n })), null],
      [borrow('ann', 'sol', 100n), 35],
    ],
  },
  {
    name: 'an isolated asset is owed alone',
    steps: [
      ...opened,
      ...fine(
        setReserve('sol', () => ({ reserveType: 1 })),
        borrow('ann', 'usd', 10n * USD),
        ...refreshAll('ann'),
      ),
      [borrow('ann', 'sol', SOL), 56],
      ...fine(repay('ann', 'usd', ALL), ...refreshAll('ann'), borrow('ann', 'sol', SOL), ...refreshAll('ann')),
      [borrow('ann', 'usd', 10n * USD), 56],
      [borrow('ann', 'sol', SOL), null],
      ...fine(
        ...refreshAll('ann'),
        setReserve('usd', () => ({ reserveType: 1 })),
      ),
      [borrow('ann', 'usd', 10n * USD), 56],
    ],
  },
  {
    name: 'the heaviest debt comes first, and what it weighs counts',
    steps: [
      ...fine(init('ann'), supply('ann', 'usd', 500_000n * USD), ...refreshAll('ann')),
      ...fine(borrow('ann', 'sol', SOL), ...refreshAll('ann'), borrow('ann', 'usd', USD), ...refreshAll('ann')),
      ...fine(borrow('ann', 'alt', ALT), ...refreshAll('ann')),
      ...fine(
        setReserve('sol', () => ({ addedBorrowWeightBps: 3_000n })),
        ...refreshAll('ann'),
      ),
      ...fine(
        setReserve('usd', () => ({ addedBorrowWeightBps: 3_000n })),
        ...refreshAll('ann'),
      ),
      [setReserve('usd', () => ({ addedBorrowWeightBps: ALL })), null],
      [borrow('ann', 'usd', 100n * USD), 26],
      ...fine(repay('ann', 'alt', ALL), ...refreshAll('ann')),
    ],
  },
  {
    name: 'a debt that is attributed to a reserve beyond its limit',
    steps: [
      ...opened,
      ...fine(borrow('ann', 'sol', 50n * SOL), ...refreshAll('ann')),
      [
        setReserve('usd', ({ attributedBorrowValue }) => ({
          attributedBorrowLimitOpen: attributedBorrowValue / WAD,
          attributedBorrowLimitClose: attributedBorrowValue / WAD + 10n,
        })),
        null,
      ],
      [borrow('ann', 'sol', SOL), 57],
      [withdraw('ann', 'usd', USD), 57],
      [withdraw('ann', 'alt', ALT), 57],
      ...fine(
        setObligation('ann', () => ({ closeable: 1 })),
        ...refreshAll('ann'),
      ),
      ...fine(
        setReserve('usd', () => ({ attributedBorrowLimitClose: 1n })),
        setObligation('ann', () => ({ closeable: 1 })),
      ),
      ...fine(
        ...refreshAll('ann'),
        setReserve('alt', () => ({ attributedBorrowValue: 1n })),
        ...refreshAll('ann'),
      ),
    ],
  },
  {
    name: 'ten entries and no more',
    steps: [
      ...fine(init('ann'), supply('ann', 'usd', 1_000n * USD)),
      [
        setObligation('ann', ({ deposits, _unused }) => ({
          deposits: Array.from(
            { length: 10 },
            () => ({ ...deposits[0], depositReserve: PAYER }) as (typeof deposits)[number],
          ),
          _unused,
        })),
        null,
      ],
      [supply('ann', 'usd', 1n), 31],
    ],
  },
  {
    name: 'collateral without a price, a weight or a loan',
    steps: [
      ...opened,
      ...fine(
        setReserve('usd', ({ config }) => ({ config: { ...config, loanToValueRatio: 0 } })),
        ...refreshAll('ann'),
      ),
      ...fine(borrow('ann', 'sol', SOL), ...refreshAll('ann'), withdraw('ann', 'usd', 5n), ...refreshAll('ann')),
      [setObligation('ann', () => ({ allowedBorrowValue: 0n })), null],
      [withdraw('ann', 'usd', 5n), 24],
      [borrow('ann', 'sol', SOL), 26],
      [
        setReserve('usd', ({ liquidity }) => ({
          liquidity: { ...liquidity, marketPrice: 0n },
          smoothedMarketPrice: 0n,
        })),
        null,
      ],
      [refreshObligation('ann'), null],
      [withdraw('ann', 'usd', 5n), 14],
      [borrow('ann', 'usd', 5n), 14],
    ],
  },
];

const OUTFLOWS: readonly Scenario[] = [
  {
    name: 'a reserve lets leave what its window lets',
    steps: [
      ...fine(init('ann'), supply('ann', 'usd', 50_000n * USD), deposit('bob', 'usd', 50_000n * USD)),
      ...fine(
        setReserve('usd', () => ({ rateLimiter: limiter(1_000n * USD) })),
        ...refreshAll('ann'),
      ),
      [redeem('bob', 'usd', 2_000n * USD), 54],
      [redeem('bob', 'usd', 300n * USD), null],
      ...fine(...refreshAll('ann'), withdraw('ann', 'usd', ALL)),
      ...fine(...refreshAll('ann')),
      [redeem('bob', 'usd', 100n), 54],
      [withdraw('ann', 'usd', 10n), 24],
      [borrow('ann', 'usd', 100n), 54],
      ...later(250n, 'ann'),
      [redeem('bob', 'usd', 50n * USD), 54],
      ...later(400n, 'ann'),
      ...fine(redeem('bob', 'usd', 50n * USD), ...refreshAll('ann'), withdraw('ann', 'usd', 10n * USD)),
      ...fine(...refreshAll('ann'), borrow('ann', 'usd', ALL)),
      ...later(1_500n, 'ann'),
      ...fine(withdraw('ann', 'usd', 900n * USD)),
    ],
  },
  {
    name: 'a market lets leave what its window lets, in USD at the higher price',
    steps: [
      ...opened,
      ...fine(
        setMarket(() => ({ rateLimiter: limiter(5_000n) })),
        borrow('ann', 'sol', 10n * SOL),
        ...refreshAll('ann'),
      ),
      [borrow('ann', 'sol', 30n * SOL), 54],
      ...fine(withdraw('ann', 'alt', ALL), ...refreshAll('ann')),
      [withdraw('ann', 'usd', 2_000n * USD), 24],
      ...later(500n, 'ann'),
      ...fine(borrow('ann', 'sol', ALL)),
    ],
  },
  {
    name: 'a window that has not begun, one of a slot, and one that lets nothing through',
    steps: [
      ...fine(deposit('bob', 'usd', 50_000n * USD), ...refreshAll()),
      [setReserve('usd', () => ({ rateLimiter: { ...limiter(1_000n * USD), windowStart: 10n ** 12n } })), null],
      [redeem('bob', 'usd', 10n), 13],
      [setReserve('usd', () => ({ rateLimiter: limiter(ALL, 1n) })), null],
      ...fine(redeem('bob', 'usd', 10n), refresh('usd')),
      [setMarket(() => ({ rateLimiter: limiter(0n) })), null],
      [redeem('bob', 'usd', 10n), 54],
    ],
  },
];

const ORACLES: readonly Scenario[] = [
  {
    name: 'prices that are too old, too unsure, or replaced',
    steps: [
      [time(120n), null],
      [refresh('usd'), null],
      [refresh('sol'), 42],
      [refresh('alt'), null],
      [time(1n), null],
      [refresh('usd'), 42],
      [refresh('alt'), 42],
      ...fine({ kind: 'publish', feed: 'altFeed' }, { kind: 'publish', feed: 'usdPyth', price: 100_500_000n }),
      [refresh('usd'), null],
      // Pyth is too old: Switchboard steps in, and the average stays.
      [refresh('alt'), null],
      [{ kind: 'publish', feed: 'usdPyth', unsure: true }, null],
      [refresh('usd'), 42],
      [{ kind: 'publish', feed: 'altFeed', unsure: true }, null],
      [refresh('alt'), 42],
      [{ kind: 'publish', feed: 'altPyth', price: 260_000_000n }, null],
      [refresh('alt'), null],
      [{ kind: 'publish', feed: 'solFeed', price: 16_000_000_000n }, null],
      [refresh('sol'), null],
      [time(119n), null],
      [refresh('sol'), null],
      [time(1n), null],
      [refresh('sol'), 42],
    ],
  },
  {
    name: 'prices of nothing, and prices beyond the program’s integers',
    steps: [
      [{ kind: 'publish', feed: 'usdPyth', price: 0n }, null],
      [refresh('usd'), null],
      [{ kind: 'publish', feed: 'usdPyth', price: -1n }, null],
      [refresh('usd'), 42],
      [{ kind: 'publish', feed: 'solFeed', price: 0n }, null],
      [refresh('sol'), null],
      [{ kind: 'publish', feed: 'solFeed', price: -1n }, null],
      [refresh('sol'), 42],
      [{ kind: 'publish', feed: 'solFeed', price: 620_000_000_000n }, null],
      [refresh('sol'), null],
      // 10^18 twice on top of a price of 6,300 USD are more than 192 bits.
      [{ kind: 'publish', feed: 'solFeed', price: 630_000_000_000n }, null],
      [refresh('sol'), 42],
    ],
  },
  {
    name: 'oracles that are not the reserve’s',
    steps: [
      [refresh('usd', { swap: [1, feedAddress('altPyth')] }), 13],
      [refresh('usd', { swap: [2, feedAddress('altFeed')] }), 42],
      [refresh('alt', { withoutExtra: true }), 13],
      [refresh('alt', { swap: [3, feedAddress('usdPyth')] }), 13],
      [setReserve('usd', ({ liquidity }) => ({ liquidity: { ...liquidity, pythOracle: MARKET } })), null],
      [refresh('usd', { swap: [1, MARKET] }), 42],
      [refresh('usd', { tail: 'drop' }), 'NotEnoughAccountKeys'],
    ],
  },
  {
    name: 'a third price bounds the others, whatever its age',
    steps: [
      ...opened,
      ...fine({ kind: 'publish', feed: 'altExtra', price: 100_000_000n, unsure: true }, ...refreshAll('ann')),
      ...fine(borrow('ann', 'alt', ALT), ...refreshAll('ann')),
      ...fine(
        { kind: 'publish', feed: 'altExtra', price: 900_000_000n },
        ...refreshAll('ann'),
        withdraw('ann', 'alt', ALT),
      ),
      [setReserve('alt', () => ({ extraOracle: feedAddress('solFeed') })), null],
      [refresh('alt', { swap: [3, feedAddress('solFeed')] }), null],
      [{ kind: 'publish', feed: 'solFeed', unsure: true }, null],
      [refresh('alt', { swap: [3, feedAddress('solFeed')] }), 42],
      [setReserve('alt', () => ({ extraOracle: MARKET })), null],
      [refresh('alt', { swap: [3, MARKET] }), 42],
      [setReserve('alt', () => ({ extraOracle: NO_KEY })), null],
      [refresh('alt', { withoutExtra: true }), null],
    ],
  },
  {
    name: 'an offset of the price counts up to a fifth',
    steps: [-2_500n, -2_000n, 1n, 2_000n, 9_999_999n, -9_999_999n].flatMap((bps) =>
      fine(
        setReserve('alt', () => ({ scaledPriceOffsetBps: bps })),
        refresh('alt'),
      ),
    ),
  },
];

const ACCOUNTS: readonly Scenario[] = [
  {
    name: 'accounts that are not those of the reserve',
    steps: [
      ...opened,
      [deposit('ann', 'usd', 10n, { swap: [2, MARKET] }), 'InvalidAccountData'],
      [deposit('ann', 'usd', 10n, { swap: [2, poolOf('sol').reserve] }), 13],
      [deposit('ann', 'usd', 10n, { swap: [3, poolOf('sol').liquiditySupply] }), 13],
      [deposit('ann', 'usd', 10n, { swap: [4, poolOf('sol').collateralMint] }), 13],
      [deposit('ann', 'usd', 10n, { swap: [0, poolOf('usd').liquiditySupply] }), 13],
      [deposit('ann', 'usd', 10n, { swap: [1, poolOf('usd').collateralSupply] }), 13],
      [deposit('ann', 'usd', 10n, { swap: [5, poolOf('usd').reserve] }), 'InvalidAccountData'],
      [deposit('ann', 'usd', 10n, { swap: [6, PAYER] }), 3],
      [deposit('ann', 'usd', 10n, { swap: [8, TOKEN_2022_PROGRAM] }), 9],
      [deposit('ann', 'usd', 10n, { swap: [8, RENT_SYSVAR] }), 9],
      [deposit('ann', 'usd', 10n, { swap: [0, holdingsOf('bob', 'usd').tokens] }), 4],
      [deposit('ann', 'usd', 10n, { swap: [1, holdingsOf('ann', 'sol').receipts] }), 3],
      [deposit('ann', 'usd', 10n, { tail: 'drop' }), 'NotEnoughAccountKeys'],
      [deposit('ann', 'usd', 10n, { bytes: 5 }), 0],
      [deposit('ann', 'usd', 10n, { bytes: 0 }), 0],
      [refresh('usd', { bytes: 0 }), 0],
      [supply('ann', 'usd', 10n, { swap: [7, poolOf('sol').collateralSupply] }), 13],
      [supply('ann', 'usd', 10n, { swap: [8, obligationOf('bob')] }), 'UninitializedAccount'],
      [supply('ann', 'usd', 10n, { swap: [9, walletOf('bob')] }), 32],
      [supply('ann', 'usd', 10n, { swap: [10, PAYER] }), null],
      [supply('ann', 'usd', 10n, { swap: [1, holdingsOf('bob', 'usd').receipts] }), 4],
      ...fine(...refreshAll('ann')),
      [withdraw('ann', 'usd', 10n, { swap: [0, poolOf('sol').collateralSupply] }), 13],
      [withdraw('ann', 'usd', 10n, { swap: [1, poolOf('usd').collateralSupply] }), 13],
      [withdraw('ann', 'usd', 10n, { swap: [3, obligationOf('bob')] }), 'UninitializedAccount'],
      [withdraw('ann', 'usd', 10n, { swap: [5, PAYER] }), 3],
      [withdraw('ann', 'usd', 10n, { swap: [6, poolOf('usd').liquiditySupply] }), 13],
      [withdraw('ann', 'usd', 10n, { swap: [7, poolOf('sol').collateralMint] }), 13],
      [withdraw('ann', 'usd', 10n, { swap: [8, poolOf('sol').liquiditySupply] }), 13],
      [withdraw('ann', 'usd', 10n, { swap: [9, walletOf('bob')] }), 32],
      [withdraw('ann', 'usd', 10n, { swap: [10, walletOf('bob')] }), 4],
      [withdraw('ann', 'usd', 10n, { swap: [10, walletOf('bob')], unsigned: 9 }), 12],
      [repay('ann', 'usd', 10n, { swap: [0, poolOf('usd').liquiditySupply] }), 13],
      [repay('ann', 'usd', 10n, { swap: [1, poolOf('sol').liquiditySupply] }), 13],
      [repay('ann', 'usd', 0n), 10],
    ],
  },
  {
    name: 'reserves that cannot be read',
    steps: [
      [setReserve('usd', () => ({ version: 2 })), null],
      [refresh('usd'), 'InvalidAccountData'],
      [setReserve('usd', () => ({ version: 0 })), null],
      [refresh('usd'), 'UninitializedAccount'],
      [setReserve('usd', () => ({ version: 1, lastUpdate: { slot: 0n, stale: 2 } })), null],
      [refresh('usd'), 'InvalidAccountData'],
      [setReserve('usd', () => ({ lastUpdate: { slot: 10n ** 12n, stale: 0 } })), null],
      [refresh('usd'), 14],
      [deposit('ann', 'usd', 1n), 14],
      [setReserve('alt', () => ({ liquidityExtraMarketPriceFlag: 2 })), null],
      [refresh('alt'), 'InvalidAccountData'],
      [setReserve('sol', () => ({ reserveType: 2 })), null],
      [refresh('sol'), 'ProgramFailedToComplete'],
    ],
  },
  {
    name: 'figures beyond the program’s integers',
    steps: [
      [
        setReserve('usd', ({ liquidity }) => ({ liquidity: { ...liquidity, borrowedAmountWads: 2n ** 128n - 1n } })),
        null,
      ],
      [deposit('ann', 'usd', 1n), 'ProgramFailedToComplete'],
      [
        setReserve('usd', ({ liquidity }) => ({
          liquidity: { ...liquidity, mintDecimals: 39, borrowedAmountWads: 0n },
        })),
        null,
      ],
      [deposit('ann', 'usd', 1n), null],
      [redeem('ann', 'usd', 1n), 14],
      [
        setReserve('sol', ({ config }) => ({ config: { ...config, minBorrowRate: 6, optimalUtilizationRate: 99 } })),
        null,
      ],
      [refresh('sol'), 14],
    ],
  },
];

/** Of a reserve whose tokens have more decimals than 64 bits have powers of ten. */
const DECIMALS: readonly Scenario[] = [
  {
    name: 'twenty decimals',
    steps: [
      ...opened,
      ...fine(borrow('ann', 'sol', SOL), ...refreshAll('ann')),
      [setReserve('usd', ({ liquidity }) => ({ liquidity: { ...liquidity, mintDecimals: 20 } })), null],
      [withdraw('ann', 'usd', 10n), 14],
      [borrow('ann', 'usd', 100n), 14],
      [borrow('ann', 'usd', ALL), 14],
    ],
  },
];

export const SCENARIOS: readonly Scenario[] = [
  ...LENDING,
  ...OBLIGATIONS,
  ...DEBTS,
  ...OUTFLOWS,
  ...ORACLES,
  ...ACCOUNTS,
  ...DECIMALS,
];

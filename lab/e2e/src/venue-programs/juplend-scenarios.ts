import {
  claimOf,
  deposit,
  heldBy,
  initClaim,
  redeem,
  setLending,
  setLiquidity,
  setModel,
  setPosition,
  setReserve,
  setRewards,
  setVault,
  updateExchangePrice,
  updateRate,
  withdraw,
} from './juplend.ts';
import { U64_MAX as ALL, bent, type Scenario, START_TIME, time } from './venue.ts';

const BILLION = 10n ** 9n;
/** Of the token program. */
const INSUFFICIENT_FUNDS = 1;
/** Of Anchor. */
const CONSTRAINT_TOKEN_MINT = 2014;
const CONSTRAINT_TOKEN_OWNER = 2015;
/** Where a call names the account that gets what it pays out. */
const RECIPIENT = 2;
const rewards = { startTime: START_TIME + 100n, duration: 10_000n, yearlyReward: 30n * BILLION };

export const JUPLEND_SCENARIOS: readonly Scenario[] = [
  {
    name: 'rates over time',
    steps: [
      ...[updateRate, time(1n), updateRate, updateExchangePrice, time(86_400n), updateRate, updateExchangePrice],
      ...[time(31_536_000n), updateExchangePrice, updateRate],
    ],
  },
  {
    name: 'deposits and withdrawals',
    steps: [
      ...[deposit('ann', BILLION), time(60n), deposit('bob', BILLION), time(60n)],
      ...[withdraw('ann', BILLION), redeem('ann', BILLION), initClaim('ann')],
      ...[withdraw('ann', 1_000_000n, claimOf('ann')), deposit('ann', ALL)],
      [deposit('ann', ALL), 'OperateAmountsNearlyZero'],
    ],
  },
  {
    name: 'a claim account is opened once',
    steps: [initClaim('ann'), [initClaim('ann'), 0]],
  },
  {
    name: 'all that somebody has, out again',
    steps: [
      ...[setPosition({ withdrawalLimit: 0n }), redeem('ann', ALL)],
      [redeem('ann', ALL), 'OperateAmountsNearlyZero'],
      deposit('ann', ALL),
      [withdraw('ann', ALL), 'WithdrawalLimitReached'],
      ...[setPosition({ withdrawalLimit: 0n }), withdraw('ann', ALL)],
    ],
  },
  {
    name: 'the smallest movement',
    steps: [
      [deposit('ann', 0n), 'OperateAmountsNearlyZero'],
      [deposit('ann', 9n), 'OperateAmountsNearlyZero'],
      deposit('ann', 10n),
      [withdraw('ann', 0n), 'OperateAmountsNearlyZero'],
      [withdraw('ann', 9n), 'OperateAmountsNearlyZero'],
      withdraw('ann', 10n),
      [redeem('ann', 1n), 'OperateAmountsNearlyZero'],
      redeem('ann', 10n),
      setLending({ tokenExchangePrice: 20n * 10n ** 12n }),
      [deposit('ann', 10n), 'FTokenDepositInsignificant'],
      deposit('ann', 30n),
    ],
  },
  {
    name: 'more than there is',
    steps: [
      [deposit('ann', 2_000n * BILLION), INSUFFICIENT_FUNDS],
      [withdraw('ann', 200n * BILLION), INSUFFICIENT_FUNDS],
      [redeem('ann', 100n * BILLION + 1n), INSUFFICIENT_FUNDS],
      [withdraw('ann', ALL - 1n), INSUFFICIENT_FUNDS],
      ...[setPosition({ withdrawalLimit: 0n }), setVault({ amount: 10n * BILLION })],
      [withdraw('ann', 20n * BILLION), 'InsufficientBalance'],
      ...[withdraw('ann', 9n * BILLION), time(3_600n), updateRate, updateExchangePrice],
      setReserve({ totalClaimAmount: ALL }),
      [withdraw('ann', 1_000_000n), 'InvalidClaimAmount'],
    ],
  },
  {
    name: 'the withdrawal limit, which falls with time',
    steps: [
      [withdraw('ann', 60n * BILLION), 'WithdrawalLimitReached'],
      withdraw('ann', 50n * BILLION),
      [withdraw('ann', 20n * BILLION), 'WithdrawalLimitReached'],
      ...[time(7_200n), withdraw('ann', 20n * BILLION), time(21_600n), withdraw('ann', 30n * BILLION)],
    ],
  },
  {
    name: 'a limit below the base, which lets everything out',
    steps: [
      ...[setPosition({ baseWithdrawalLimit: 300n * BILLION }), withdraw('ann', 45n * BILLION)],
      withdraw('bob', 50n * BILLION),
    ],
  },
  {
    name: 'rewards that begin, run and end, and the next behind them',
    steps: [
      ...[setRewards(rewards), updateRate, time(100n), updateRate, time(1_000n), deposit('ann', BILLION)],
      ...[
        setRewards({ nextDuration: 5_000n, nextRewardAmount: 9_000_000n }),
        time(1_000n),
        withdraw('ann', BILLION / 2n),
      ],
      ...[time(8_000n), updateRate, time(1n), updateRate, time(9_000n), updateRate, time(9_000n)],
      redeem('ann', BILLION / 2n),
    ],
  },
  {
    name: 'rewards that ask for a size, are more than half of one a year, or whose times do not fit',
    steps: [
      ...[313_500_000_001n, 313_500_000_000n].flatMap((startTvl) => [
        ...[setRewards({ ...rewards, startTvl }), time(200n), updateRate],
      ]),
      ...[setRewards({ yearlyReward: ALL }), time(200n), updateRate, setRewards({ ...rewards, duration: ALL })],
      [updateRate, 'LibraryMathError'],
      [deposit('ann', 1_000_000n), 'LibraryMathError'],
    ],
  },
  {
    name: 'a layer that is locked, a position that is paused or not set up',
    steps: [
      setLiquidity({ status: true }),
      [deposit('ann', 1_000_000n), 'ProtocolLockdown'],
      [withdraw('ann', 1_000_000n), 'ProtocolLockdown'],
      ...[updateRate, updateExchangePrice, setLiquidity({ status: false }), setPosition({ status: 1 })],
      [deposit('ann', 1_000_000n), 'UserPaused'],
      setPosition({ status: 2 }),
      [withdraw('ann', 1_000_000n), 'UserPaused'],
    ],
  },
  {
    name: 'tokens to other accounts than the signer’s own',
    steps: [
      [bent(deposit('ann', 100n), { swap: [RECIPIENT, heldBy('ann').tokens] }), CONSTRAINT_TOKEN_MINT],
      [bent(deposit('ann', 100n), { swap: [RECIPIENT, heldBy('bob').receipts] }), CONSTRAINT_TOKEN_OWNER],
      [bent(withdraw('ann', 100n), { swap: [RECIPIENT, heldBy('bob').tokens] }), CONSTRAINT_TOKEN_OWNER],
    ],
  },
  {
    name: 'a curve of one kink, of two, and one that a layer cannot use',
    steps: [
      setModel({ version: 0 }),
      [updateExchangePrice, 'UnsupportedRateVersion'],
      [deposit('ann', 1_000_000n), 'UnsupportedRateVersion'],
      ...[setModel({ version: 1, kink1Utilization: 6_000, rateAtKink1: 300 }), updateExchangePrice],
      setReserve({ supplyExchangePrice: 0n }),
      [updateExchangePrice, 'ExchangePriceZero'],
    ],
  },
  {
    name: 'supply and borrows of which some pay no interest',
    steps: (
      [
        [300n, 100n, 100n, 50n],
        [100n, 300n, 50n, 100n],
        [0n, 400n, 90n, 90n],
        [400n, 0n, 0n, 90n],
        [1n, 400_000n, 9n, 100_000n],
      ] as const
    ).flatMap(([earning, free, paying, unpaid]) => [
      setReserve({
        totalSupplyWithInterest: earning * BILLION,
        totalSupplyInterestFree: free * BILLION,
        totalBorrowWithInterest: paying * BILLION,
        totalBorrowInterestFree: unpaid * BILLION,
      }),
      ...[updateExchangePrice, time(40_000n), updateRate, updateExchangePrice],
    ]),
  },
];

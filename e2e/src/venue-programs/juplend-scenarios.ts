import type { JUPLEND_EARN_ERRORS, JUPLEND_LIBRARY_ERRORS, JUPLEND_LIQUIDITY_ERRORS } from '@lending/programs';
import type { Address } from '@solana/kit';
import type { Step } from './juplend-steps.ts';
import { holdingsOf, SPARE_TOKENS, START_TIME } from './juplend-world.ts';

type ErrorName =
  | keyof typeof JUPLEND_EARN_ERRORS
  | keyof typeof JUPLEND_LIBRARY_ERRORS
  | keyof typeof JUPLEND_LIQUIDITY_ERRORS;

/** A step and the error it comes to: a name of the programs', or another program's number. */
export type Told = readonly [Step, ErrorName | number | null];

interface Scenario {
  readonly name: string;
  readonly steps: readonly Told[];
}

const ALL = (1n << 64n) - 1n;
/** Of the token program. */
const INSUFFICIENT_FUNDS = 1;
/** Of Anchor. */
const CONSTRAINT_ASSOCIATED = 2009;
const CONSTRAINT_TOKEN_MINT = 2014;
const CONSTRAINT_TOKEN_OWNER = 2015;

const time = (seconds: bigint): Told => [{ kind: 'time', seconds }, null];
const set = (step: Extract<Step, { readonly kind: 'set' }>): Told => [step, null];
const updateRate: Told = [{ kind: 'updateRate' }, null];
const updateExchangePrice: Told = [{ kind: 'updateExchangePrice' }, null];
const earn = (
  op: 'deposit' | 'mint' | 'withdraw' | 'redeem',
  amount: bigint,
  error: ErrorName | number | null = null,
): Told => [{ kind: 'earn', op, user: 'ann', amount }, error];
const operate = (
  step: Omit<Extract<Step, { readonly kind: 'operate' }>, 'kind'>,
  error: ErrorName | number | null = null,
): Told => [{ kind: 'operate', ...step }, error];

const earnTo = (op: 'deposit' | 'withdraw', recipient: Address, error: number): Told => [
  { kind: 'earn', op, user: 'ann', amount: 100n, recipient },
  error,
];

const rewards = { startTime: START_TIME + 100n, duration: 10_000n, yearlyReward: 30_000_000_000n };

export const JUPLEND_SCENARIOS: readonly Scenario[] = [
  {
    name: 'rates over time',
    steps: [
      updateRate,
      time(1n),
      updateRate,
      updateExchangePrice,
      time(86_400n),
      updateRate,
      updateExchangePrice,
      time(31_536_000n),
      updateExchangePrice,
      updateRate,
    ],
  },
  {
    name: 'deposits and withdrawals in all forms',
    steps: [
      earn('deposit', 1_000_000_000n),
      time(60n),
      earn('mint', 1_000_000_000n),
      time(60n),
      earn('withdraw', 1_000_000_000n),
      earn('redeem', 1_000_000_000n),
      [{ kind: 'earn', op: 'withdraw', user: 'ann', amount: 1_000_000n, namesClaim: true }, null],
      earn('deposit', ALL),
      earn('deposit', ALL, 'OperateAmountsNearlyZero'),
    ],
  },
  {
    name: 'all that somebody has, out again',
    steps: [
      set({ kind: 'set', account: 'position', fields: { withdrawalLimit: 0n } }),
      earn('redeem', ALL),
      earn('redeem', ALL, 'OperateAmountsNearlyZero'),
      earn('mint', ALL),
      earn('withdraw', ALL, 'WithdrawalLimitReached'),
      set({ kind: 'set', account: 'position', fields: { withdrawalLimit: 0n } }),
      earn('withdraw', ALL),
      [{ kind: 'earn', op: 'withdraw', user: 'bob', amount: ALL }, 'WithdrawalLimitReached'],
    ],
  },
  {
    name: 'the smallest movement',
    steps: [
      earn('deposit', 0n, 'OperateAmountsNearlyZero'),
      earn('deposit', 9n, 'OperateAmountsNearlyZero'),
      earn('deposit', 10n),
      earn('withdraw', 0n, 'OperateAmountsNearlyZero'),
      earn('withdraw', 9n, 'OperateAmountsNearlyZero'),
      earn('withdraw', 10n),
      earn('mint', 1n, 'OperateAmountsNearlyZero'),
      earn('redeem', 1n, 'OperateAmountsNearlyZero'),
      earn('redeem', 10n),
    ],
  },
  {
    name: 'more than there is',
    steps: [
      earn('deposit', 2_000_000_000_000n, INSUFFICIENT_FUNDS),
      earn('withdraw', 200_000_000_000n, INSUFFICIENT_FUNDS),
      earn('redeem', 100_000_000_001n, INSUFFICIENT_FUNDS),
      earn('withdraw', ALL - 1n, INSUFFICIENT_FUNDS),
      earn('mint', ALL - 1n, 'LibraryCastingFailure'),
    ],
  },
  {
    name: 'the withdrawal limit, which falls with time',
    steps: [
      earn('withdraw', 60_000_000_000n, 'WithdrawalLimitReached'),
      earn('withdraw', 50_000_000_000n),
      earn('withdraw', 20_000_000_000n, 'WithdrawalLimitReached'),
      time(7_200n),
      earn('withdraw', 20_000_000_000n),
      time(21_600n),
      earn('withdraw', 30_000_000_000n),
    ],
  },
  {
    name: 'a limit below the base, which lets everything out',
    steps: [
      set({ kind: 'set', account: 'position', fields: { baseWithdrawalLimit: 300_000_000_000n } }),
      earn('withdraw', 45_000_000_000n),
      earn('withdraw', 50_000_000_000n),
    ],
  },
  {
    name: 'a vault that has been lent',
    steps: [
      set({ kind: 'set', account: 'position', fields: { withdrawalLimit: 0n } }),
      operate({ protocol: 'vault', borrow: 15_000_000_000n }),
      set({ kind: 'set', account: 'vaultBorrow', fields: { debtCeiling: ALL >> 2n, maxDebtCeiling: ALL >> 2n } }),
      set({ kind: 'set', account: 'vaultBorrow', fields: { expandPct: 10_000 } }),
      operate({ protocol: 'vault', borrow: 145_000_000_000n }, 'MaxUtilizationReached'),
      set({ kind: 'set', account: 'reserve', fields: { maxUtilization: 10_000 } }),
      operate({ protocol: 'vault', borrow: 145_000_000_000n }),
      earn('withdraw', 20_000_000_000n, 'InsufficientBalance'),
      earn('withdraw', 9_000_000_000n),
      time(3_600n),
      updateRate,
      updateExchangePrice,
    ],
  },
  {
    name: 'rewards that begin, run and end, and the next behind them',
    steps: [
      set({ kind: 'set', account: 'rewards', fields: rewards }),
      updateRate,
      time(100n),
      updateRate,
      time(1_000n),
      earn('deposit', 1_000_000_000n),
      set({ kind: 'set', account: 'rewards', fields: { nextDuration: 5_000n, nextRewardAmount: 9_000_000n } }),
      time(1_000n),
      earn('withdraw', 500_000_000n),
      time(8_000n),
      updateRate,
      time(1n),
      updateRate,
      time(9_000n),
      updateRate,
      time(9_000n),
      earn('redeem', 500_000_000n),
    ],
  },
  {
    name: 'rewards that ask for a size, and more than half of one a year',
    steps: [
      set({ kind: 'set', account: 'rewards', fields: { ...rewards, startTvl: 313_500_000_001n } }),
      time(200n),
      updateRate,
      set({ kind: 'set', account: 'rewards', fields: { startTvl: 313_500_000_000n } }),
      time(200n),
      updateRate,
      set({ kind: 'set', account: 'rewards', fields: { yearlyReward: ALL } }),
      time(200n),
      updateRate,
    ],
  },
  {
    name: 'rewards whose times do not fit',
    steps: [
      set({ kind: 'set', account: 'rewards', fields: { ...rewards, duration: ALL } }),
      [{ kind: 'updateRate' }, 'LibraryMathError'],
      earn('deposit', 1_000_000n, 'LibraryMathError'),
    ],
  },
  {
    name: 'a layer that is locked, a position that is paused or not set up',
    steps: [
      set({ kind: 'set', account: 'liquidity', fields: { status: true } }),
      earn('deposit', 1_000_000n, 'ProtocolLockdown'),
      earn('withdraw', 1_000_000n, 'ProtocolLockdown'),
      updateRate,
      updateExchangePrice,
      set({ kind: 'set', account: 'liquidity', fields: { status: false } }),
      set({ kind: 'set', account: 'position', fields: { status: 1 } }),
      earn('deposit', 1_000_000n, 'UserPaused'),
      set({ kind: 'set', account: 'position', fields: { status: 2 } }),
      earn('withdraw', 1_000_000n, 'UserPaused'),
    ],
  },
  {
    name: 'tokens to other accounts than the signer’s own, or than the one derived from their wallet',
    steps: [
      earnTo('deposit', holdingsOf('ann').tokens, CONSTRAINT_TOKEN_MINT),
      earnTo('deposit', holdingsOf('bob').fTokens, CONSTRAINT_TOKEN_OWNER),
      earnTo('withdraw', holdingsOf('bob').tokens, CONSTRAINT_TOKEN_OWNER),
      earnTo('withdraw', SPARE_TOKENS, CONSTRAINT_ASSOCIATED),
    ],
  },
  {
    name: 'a curve that a layer cannot use',
    steps: [
      set({ kind: 'set', account: 'model', fields: { version: 0 } }),
      [{ kind: 'updateExchangePrice' }, 'UnsupportedRateVersion'],
      earn('deposit', 1_000_000n, 'UnsupportedRateVersion'),
      set({ kind: 'set', account: 'model', fields: { version: 1, kink1Utilization: 6_000, rateAtKink1: 300 } }),
      updateExchangePrice,
      set({ kind: 'set', account: 'reserve', fields: { supplyExchangePrice: 0n } }),
      [{ kind: 'updateExchangePrice' }, 'ExchangePriceZero'],
    ],
  },
  {
    name: 'supply and borrows of which some pay no interest',
    steps: [
      ...(
        [
          [300n, 100n, 100n, 50n],
          [100n, 300n, 50n, 100n],
          [200n, 200n, 90n, 90n],
          [0n, 400n, 90n, 90n],
          [400n, 0n, 0n, 90n],
          [1n, 400_000n, 9n, 100_000n],
        ] as const
      ).flatMap(([earning, free, paying, unpaid]): Told[] => [
        set({
          kind: 'set',
          account: 'reserve',
          fields: {
            totalSupplyWithInterest: earning * 10n ** 9n,
            totalSupplyInterestFree: free * 10n ** 9n,
            totalBorrowWithInterest: paying * 10n ** 9n,
            totalBorrowInterestFree: unpaid * 10n ** 9n,
          },
        }),
        updateExchangePrice,
        time(40_000n),
        updateRate,
        updateExchangePrice,
      ]),
    ],
  },
  {
    name: 'borrows and paybacks of protocols, with interest and without',
    steps: [
      operate({ protocol: 'vault', borrow: 1_000_000_000n }),
      time(600n),
      operate({ protocol: 'vault', borrow: -1_000_000_000n }),
      operate({ protocol: 'free', borrow: 1_000_000_000n }),
      operate({ protocol: 'free', borrow: -1_000_000_000n }),
      operate({ protocol: 'free', supply: 3_000_000_000n }),
      operate({ protocol: 'free', supply: -3_000_000_000n }),
      operate({ protocol: 'vault', supply: 3_000_000_000n, borrow: -2_000_000_000n }),
      operate({ protocol: 'vault', supply: -3_000_000_000n, borrow: 2_000_000_000n }),
      operate({ protocol: 'vault', supply: 3_000_000_000n, borrow: 2_000_000_000n }),
      operate({ protocol: 'vault', borrow: 9n }, 'OperateAmountsNearlyZero'),
      operate({ protocol: 'vault', borrow: 30_000_000_000n }, 'BorrowLimitReached'),
      operate({ protocol: 'vault', borrow: 1n << 63n }, 'OperateAmountTooBig'),
      operate({ protocol: 'vault', borrow: -300_000_000_000n }, 'LibraryMathError'),
      set({ kind: 'set', account: 'vaultBorrow', fields: { status: 1 } }),
      operate({ protocol: 'vault', borrow: 100n }, 'UserPaused'),
    ],
  },
  {
    name: 'tokens that leave without an account for them: a withdrawal and a borrow need one between them',
    steps: [
      operate({ protocol: 'vault', supply: -1_000_000n, without: 'withdrawTo' }, 'WithdrawToAccountRequired'),
      operate({ protocol: 'vault', borrow: 1_000_000n, without: 'borrowTo' }, 'BorrowToAccountRequired'),
      operate({ protocol: 'vault', supply: -1_000_000n, borrow: 500_000n, without: 'borrowTo' }),
      operate(
        { protocol: 'vault', supply: -1_000_000n, borrow: 500_000n, without: 'withdrawTo' },
        'WithdrawToAccountRequired',
      ),
    ],
  },
  {
    name: 'a deposit that is worth no fToken',
    steps: [
      set({ kind: 'set', account: 'lending', fields: { tokenExchangePrice: 20n * 10n ** 12n } }),
      earn('deposit', 10n, 'FTokenDepositInsignificant'),
      earn('deposit', 30n),
    ],
  },
  {
    name: 'what was announced and what came',
    steps: [
      operate({ protocol: 'vault', borrow: -1_000_000n, sent: null }, 'DepositExpected'),
      operate({ protocol: 'vault', borrow: -1_000_000n, sent: 999_999n }, 'TransferAmountOutOfBounds'),
      operate({ protocol: 'vault', borrow: -1_000_000n, sent: 1_010_000n }),
      operate({ protocol: 'vault', borrow: -1_000_000n, sent: 1_010_001n }, 'TransferAmountOutOfBounds'),
    ],
  },
  {
    name: 'tokens that are noted to be fetched',
    steps: [
      operate({ protocol: 'vault', borrow: 1_000_000n, transferType: 2 }, 'ClaimAccountRequired'),
      [{ kind: 'initClaim', user: 'vault' }, null],
      operate({ protocol: 'vault', borrow: 1_000_000n, transferType: 2, hasClaims: true }),
      operate({ protocol: 'vault', borrow: 500_000n, supply: -1_000_000n, transferType: 2, hasClaims: true }),
      operate({ protocol: 'vault', borrow: 1_000_000n, transferType: 0, hasClaims: true }, 'InvalidTransferType'),
      earn('withdraw', 1_000_000n),
      set({ kind: 'set', account: 'reserve', fields: { totalClaimAmount: ALL } }),
      earn('withdraw', 1_000_000n, 'InvalidClaimAmount'),
    ],
  },
];

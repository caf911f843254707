import { NO_KEY, SOLEND_PROGRAM, solendObligationLayout, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@lending/programs';
import type { Address } from '@solana/kit';
import { PAYER } from '../real-program/addresses.ts';
import {
  deposit,
  heldBy,
  init,
  later,
  limiter,
  MARKET,
  obligationOf,
  poolAccounts,
  publish,
  RESERVES,
  redeem,
  refresh,
  refreshAll,
  refreshObligation,
  setMarket,
  setReserve,
  supply,
  UNIT,
  WAD,
  withdraw,
} from './solend.ts';
import {
  U64_MAX as ALL,
  bent,
  type Call,
  type Change,
  type Scenario,
  type Step,
  set,
  time,
  walletOf,
} from './venue.ts';

const { usd: USD, sol: SOL, alt: ALT } = UNIT;
const MINUTE = 60n;
const USD_RESERVE = RESERVES.usd.address;
/** Of the token program. */
const INSUFFICIENT_FUNDS = 1;
const MINT_MISMATCH = 3;
const OWNER_MISMATCH = 4;

/** Ann has USD and ALT under her obligation. */
const opened = [
  ...[init('ann'), deposit('ann', 'usd', 50_000n * USD), deposit('ann', 'alt', 10_000n * ALT + 7n), refreshAll('ann')],
];
/** An account that looks like Save's and is another program's, or is given back. */
const give = (account: Address, owner: Address): Change => ({
  text: `${account} is given to ${owner}`,
  change: (chain) => {
    const state = chain.account(account);
    if (state !== undefined) chain.setAccount(account, { ...state, owner });
  },
});
const setObligation = (fields: Parameters<typeof set<ReturnType<typeof solendObligationLayout.decode>>>[2]) =>
  set(obligationOf('ann'), solendObligationLayout, fields);
const refused = (error: string | number, ...steps: readonly Step[]) => steps.map((step) => [step, error] as const);
const everything: readonly Call[] = [supply, redeem, deposit, withdraw].map((move) => move('ann', 'usd', 10n));
const swap = (call: Call, position: number, account: Address): Call => bent(call, { swap: [position, account] });

const LENDING: readonly Scenario[] = [
  {
    name: 'tokens become receipts and receipts tokens, with interest in between',
    steps: [
      ...[supply('ann', 'usd', 1_000n * USD + 1n), supply('bob', 'sol', 3n * SOL), supply('bob', 'alt', 5n * ALT)],
      ...[...later(MINUTE), redeem('ann', 'usd', 7n), redeem('bob', 'sol', SOL), ...later(86_400n)],
      ...[redeem('ann', 'usd', 500n * USD), refresh('usd'), redeem('ann', 'usd', 1n)],
      ...[supply('ann', 'usd', 1n), time(1n), supply('ann', 'usd', 2n), supply('bob', 'usd', 3n)],
    ],
  },
  {
    name: 'interest over a year, a slot and none',
    steps: [
      ...[refresh('usd'), refresh('usd'), time(1n), refresh('usd'), ...later(31_536_000n), ...later(1n)],
      ...[setReserve('usd', { liquidity: { availableAmount: 0n } }), ...later(3_600n)],
      ...[setReserve('usd', { liquidity: { borrowedAmountWads: 0n } }), refresh('usd'), time(1n)],
      // Nothing is there but what the protocol has taken.
      [refresh('usd'), 'MathOverflow'],
    ],
  },
  {
    name: 'an empty reserve gives a receipt for a token',
    steps: [
      setReserve('usd', {
        liquidity: { availableAmount: 0n, borrowedAmountWads: 0n },
        collateral: { mintTotalSupply: 0n },
        accumulatedProtocolFeesWads: 0n,
      }),
      ...[refresh('usd'), supply('ann', 'usd', 12_345n), refresh('usd'), redeem('ann', 'usd', 45n)],
    ],
  },
  {
    name: 'every slope of the curve',
    steps: [30n, 60n, 61n, 85n, 86n, 99n, 100n].flatMap((lent) => [
      ...(['usd', 'alt'] as const).map((reserve) =>
        setReserve(reserve, {
          liquidity: { availableAmount: (100n - lent) * USD, borrowedAmountWads: lent * USD * WAD },
          accumulatedProtocolFeesWads: 0n,
        }),
      ),
      ...later(30n),
    ]),
  },
  {
    name: 'deposits up to the limit, and no more than there is',
    steps: [
      refresh('usd'),
      ...refused('InvalidAmount', supply('ann', 'usd', 0n), deposit('ann', 'usd', 0n), redeem('ann', 'usd', 0n)),
      setReserve('usd', { config: { depositLimit: 10_000_000n * USD } }),
      [supply('ann', 'usd', 1_000n * USD + 1_000_000n), 'InvalidAmount'],
      supply('ann', 'usd', 900n * USD),
      [supply('ann', 'usd', 100n * USD), 'InvalidAmount'],
      [redeem('bob', 'usd', 1n), INSUFFICIENT_FUNDS],
      [redeem('ann', 'usd', ALL), 'MathOverflow'],
      setReserve('usd', { liquidity: { availableAmount: 10n } }),
      [redeem('ann', 'usd', 100n * USD), 'InsufficientLiquidity'],
      // Interest comes by itself, prices do not.
      ...[time(1n), redeem('ann', 'usd', 1n), setReserve('usd', { config: { depositLimit: ALL } })],
      [supply('ann', 'usd', 10n ** 15n), INSUFFICIENT_FUNDS],
      [supply('ann', 'usd', ALL), 'MathOverflow'],
    ],
  },
];

const OBLIGATIONS: readonly Scenario[] = [
  {
    name: 'an obligation is set up once, by its owner',
    steps: [
      [bent(init('ann'), { unsigned: 2 }), 'InvalidSigner'],
      [swap(init('ann'), 3, NO_KEY), 'InvalidArgument'],
      [swap(init('ann'), 4, TOKEN_2022_PROGRAM), 'InvalidTokenProgram'],
      ...refused('InvalidAccountData', swap(init('ann'), 1, USD_RESERVE), swap(init('ann'), 0, USD_RESERVE)),
      [bent(init('ann'), { drop: true }), 'NotEnoughAccountKeys'],
      ...refused('UninitializedAccount', refreshObligation('ann'), deposit('ann', 'usd', 1n)),
      init('ann'),
      [init('ann'), 'AlreadyInitialized'],
      refreshObligation('ann'),
      [bent(refreshObligation('ann'), { tail: USD_RESERVE }), 'InvalidAccountInput'],
    ],
  },
  {
    name: 'deposits and withdrawals through an obligation, as P0 makes them',
    steps: [
      ...[init('ann'), deposit('ann', 'usd', 1_000n * USD), ...later(MINUTE, 'ann')],
      ...[deposit('ann', 'usd', 77n), refresh('usd'), refreshObligation('ann'), withdraw('ann', 'usd', 1n)],
      refreshAll('ann'),
      [withdraw('ann', 'usd', 0n), 'WithdrawTooLarge'],
      [withdraw('ann', 'sol', 1n), 'InvalidObligationCollateral'],
      ...[withdraw('ann', 'usd', 300n * USD), ...later(3_600n, 'ann'), withdraw('ann', 'usd', ALL), refreshAll('ann')],
      [withdraw('ann', 'usd', 1n), 'ObligationDepositsEmpty'],
    ],
  },
  {
    name: 'nothing has to be refreshed before a withdrawal',
    steps: [
      ...[
        init('ann'),
        deposit('ann', 'usd', 1_000n * USD),
        withdraw('ann', 'usd', 1n),
        withdraw('ann', 'usd', 5n * USD),
      ],
      ...[time(MINUTE), withdraw('ann', 'usd', 7n * USD), deposit('ann', 'alt', 9n * ALT), time(3_600n)],
      ...[withdraw('ann', 'alt', ALL), setMarket({ rateLimiter: limiter(100n) })],
      // What the window lets leave is counted before the interest, and paid out with it.
      [withdraw('ann', 'usd', ALL), 'OutflowRateLimitExceeded'],
      ...[publish('usd'), refresh('usd'), withdraw('ann', 'usd', ALL)],
    ],
  },
  {
    name: 'a withdrawal is worth a hundred billion USD at most',
    steps: [
      ...[init('ann'), deposit('ann', 'usd', 9_000_000n * USD), deposit('ann', 'alt', 5n * ALT)],
      setReserve('usd', { liquidity: { marketPrice: 10n ** 6n * WAD }, smoothedMarketPrice: 3n * 10n ** 6n * WAD }),
      ...[withdraw('ann', 'usd', ALL), withdraw('ann', 'usd', ALL)],
    ],
  },
  {
    name: 'what leaves the middle of the list leaves its bytes behind',
    steps: [
      ...[
        init('ann'),
        deposit('ann', 'usd', 1_000n * USD),
        deposit('ann', 'sol', SOL),
        deposit('ann', 'alt', 9n * ALT),
      ],
      ...[...later(MINUTE, 'ann'), withdraw('ann', 'sol', ALL), refreshAll('ann'), withdraw('ann', 'usd', ALL)],
      ...[refreshAll('ann'), deposit('ann', 'sol', 5n), refreshAll('ann'), withdraw('ann', 'alt', ALL)],
    ],
  },
  {
    name: 'reserves are named in the obligation’s order, refreshed in its slot',
    steps: [
      ...opened,
      ...refused(
        'InvalidAccountInput',
        swap(refreshObligation('ann'), 1, RESERVES.alt.address),
        swap(refreshObligation('ann'), 1, MARKET),
        swap(withdraw('ann', 'usd', 1n), 12, RESERVES.alt.address),
      ),
      [swap(refreshObligation('ann'), 1, poolAccounts('usd').liquiditySupply), 'InvalidAccountOwner'],
      ...refused(
        'NotEnoughAccountKeys',
        bent(refreshObligation('ann'), { drop: true }),
        bent(withdraw('ann', 'usd', 1n), { drop: true }),
      ),
      time(1n),
      [refreshObligation('ann'), 'ReserveStale'],
      refresh('usd'),
      [refreshObligation('ann'), 'ReserveStale'],
      ...[refresh('alt'), refreshObligation('ann'), bent(withdraw('ann', 'usd', 1n), { tail: PAYER })],
    ],
  },
  {
    name: 'ten entries and no more, and collateral without a weight or a price',
    steps: [
      ...opened,
      ...[
        setReserve('usd', { config: { loanToValueRatio: 0 } }),
        refreshAll('ann'),
        withdraw('ann', 'usd', 5n),
        refreshAll('ann'),
      ],
      ...[setReserve('usd', { liquidity: { marketPrice: 0n }, smoothedMarketPrice: 0n }), refreshObligation('ann')],
      [withdraw('ann', 'usd', 5n), 'MathOverflow'],
      ...[init('bob'), deposit('bob', 'usd', USD)],
      setObligation(({ deposits: [first] }) => ({
        deposits: Array.from({ length: 10 }, () => ({ ...first, depositReserve: PAYER })) as never,
      })),
      [deposit('ann', 'sol', 1n), 'ObligationReserveLimit'],
    ],
  },
  {
    name: 'more debts are attributed to a reserve than it allows',
    steps: [
      ...opened,
      setReserve('usd', { attributedBorrowValue: 100n * WAD, attributedBorrowLimitOpen: 99n }),
      [withdraw('ann', 'usd', USD), 'BorrowAttributionLimitExceeded'],
      ...[refreshAll('ann'), setReserve('usd', { attributedBorrowLimitOpen: 100n }), withdraw('ann', 'usd', USD)],
    ],
  },
];

const OUTFLOWS: readonly Scenario[] = [
  {
    name: 'a reserve lets leave what its window lets',
    steps: [
      ...[init('ann'), deposit('ann', 'usd', 50_000n * USD), supply('bob', 'usd', 50_000n * USD)],
      ...[setReserve('usd', { rateLimiter: limiter(1_000n * USD) }), refreshAll('ann')],
      [redeem('bob', 'usd', 2_000n * USD), 'OutflowRateLimitExceeded'],
      ...[redeem('bob', 'usd', 300n * USD), refreshAll('ann'), withdraw('ann', 'usd', ALL), refreshAll('ann')],
      [redeem('bob', 'usd', 100n), 'OutflowRateLimitExceeded'],
      [withdraw('ann', 'usd', 10n), 'WithdrawTooLarge'],
      ...later(250n, 'ann'),
      [redeem('bob', 'usd', 50n * USD), 'OutflowRateLimitExceeded'],
      ...[...later(400n, 'ann'), redeem('bob', 'usd', 50n * USD), refreshAll('ann'), withdraw('ann', 'usd', 10n * USD)],
      ...[...later(1_500n, 'ann'), withdraw('ann', 'usd', 900n * USD)],
    ],
  },
  {
    name: 'a market lets leave what its window lets, in USD at the higher price',
    steps: [
      ...[...opened, supply('bob', 'sol', 500n * SOL), setMarket({ rateLimiter: limiter(5_000n) }), refreshAll('ann')],
      ...[redeem('bob', 'sol', 10n * SOL), publish('sol', { price: 20_000_000_000n }), refreshAll('ann')],
      [redeem('bob', 'sol', 30n * SOL), 'OutflowRateLimitExceeded'],
      ...[withdraw('ann', 'alt', ALL), refreshAll('ann')],
      [withdraw('ann', 'usd', 2_000n * USD), 'WithdrawTooLarge'],
      ...[...later(500n, 'ann'), withdraw('ann', 'usd', 100n * USD)],
    ],
  },
  {
    name: 'a window that has not begun, one of a slot, and one that lets nothing through',
    steps: [
      ...[supply('bob', 'usd', 50_000n * USD), refreshAll()],
      setReserve('usd', { rateLimiter: { ...limiter(1_000n * USD), windowStart: 10n ** 12n } }),
      [redeem('bob', 'usd', 10n), 'InvalidAccountInput'],
      ...[setReserve('usd', { rateLimiter: limiter(ALL, 1n) }), redeem('bob', 'usd', 10n), refresh('usd')],
      setMarket({ rateLimiter: limiter(0n) }),
      [redeem('bob', 'usd', 10n), 'OutflowRateLimitExceeded'],
    ],
  },
];

const ORACLES: readonly Scenario[] = [
  {
    name: 'prices that are too old, or too unsure',
    steps: [
      ...[time(119n), refresh('sol'), time(1n), refresh('usd')],
      [refresh('sol'), 'InvalidOracleConfig'],
      time(1n),
      [refresh('usd'), 'InvalidOracleConfig'],
      ...[publish('usd', { price: 100_500_000n }), refresh('usd'), publish('usd', { unsure: true })],
      [refresh('usd'), 'InvalidOracleConfig'],
      ...[publish('sol', { price: 16_000_000_000n }), refresh('sol'), publish('sol', { unsure: true })],
      [refresh('sol'), 'InvalidOracleConfig'],
    ],
  },
  {
    name: 'prices of nothing, of less, and beyond the program’s integers',
    steps: [
      ...(['usd', 'sol'] as const).flatMap((reserve) => [
        ...[publish(reserve, { price: 0n }), refresh(reserve), publish(reserve, { price: -1n })],
        [refresh(reserve), 'InvalidOracleConfig'] as const,
      ]),
      ...[publish('sol', { price: 620_000_000_000n }), refresh('sol')],
      // 10^18 twice on top of a price of 6,300 USD are more than 192 bits.
      publish('sol', { price: 630_000_000_000n }),
      [refresh('sol'), 'InvalidOracleConfig'],
    ],
  },
  {
    name: 'prices of any exponent whose power of ten has 64 bits, and beyond that',
    steps: [
      ...[0, 1, 2, 9, -1, -18, -19].flatMap((exponent) => [publish('usd', { price: 3n, exponent }), refresh('usd')]),
      ...[-20, 20].flatMap((exponent) => [
        publish('usd', { price: 3n, exponent }),
        [refresh('usd'), 'InvalidOracleConfig'] as const,
      ]),
      publish('usd', { price: 100n, exponent: 19 }),
      [refresh('usd'), 'ProgramFailedToComplete'],
    ],
  },
  {
    name: 'oracles that are not the reserve’s, or are no oracles',
    steps: [
      [swap(refresh('usd'), 1, poolAccounts('alt').pythOracle), 'InvalidAccountInput'],
      [swap(refresh('usd'), 2, poolAccounts('sol').switchboardOracle), 'InvalidOracleConfig'],
      [bent(refresh('usd'), { drop: true }), 'NotEnoughAccountKeys'],
      setReserve('usd', { liquidity: { pythOracle: MARKET } }),
      [refresh('usd'), 'InvalidOracleConfig'],
    ],
  },
];

const ACCOUNTS: readonly Scenario[] = [
  {
    name: 'accounts that are not those of the reserve',
    steps: [
      ...opened,
      ...refused(
        'InvalidAccountInput',
        ...(
          [
            [2, RESERVES.sol.address],
            [3, poolAccounts('sol').liquiditySupply],
            [4, poolAccounts('sol').collateralMint],
            [0, poolAccounts('usd').liquiditySupply],
            [1, poolAccounts('usd').collateralSupply],
          ] as const
        ).map(([position, account]) => swap(supply('ann', 'usd', 10n), position, account)),
        swap(deposit('ann', 'usd', 10n), 7, poolAccounts('sol').collateralSupply),
        ...(
          [
            [0, poolAccounts('sol').collateralSupply],
            [1, poolAccounts('usd').collateralSupply],
            [6, poolAccounts('usd').liquiditySupply],
            [7, poolAccounts('sol').collateralMint],
            [8, poolAccounts('sol').liquiditySupply],
          ] as const
        ).map(([position, account]) => swap(withdraw('ann', 'usd', 10n), position, account)),
      ),
      ...refused(
        'InvalidAccountData',
        swap(supply('ann', 'usd', 10n), 2, MARKET),
        swap(supply('ann', 'usd', 10n), 5, USD_RESERVE),
      ),
      ...refused(3, swap(supply('ann', 'usd', 10n), 6, PAYER), swap(withdraw('ann', 'usd', 10n), 5, PAYER)),
      [swap(supply('ann', 'usd', 10n), 8, TOKEN_2022_PROGRAM), 'InvalidTokenProgram'],
      [swap(supply('ann', 'usd', 10n), 1, heldBy('ann', 'sol').receipts), MINT_MISMATCH],
      [bent(supply('ann', 'usd', 10n), { drop: true }), 'NotEnoughAccountKeys'],
      ...[0, 5].map((bytes) => [bent(supply('ann', 'usd', 10n), { bytes }), 'InstructionUnpackError'] as const),
      [bent(refresh('usd'), { bytes: 0 }), 'InstructionUnpackError'],
      ...refused(
        'UninitializedAccount',
        swap(deposit('ann', 'usd', 10n), 8, obligationOf('bob')),
        swap(withdraw('ann', 'usd', 10n), 3, obligationOf('bob')),
      ),
      ...refused(
        'InvalidObligationOwner',
        swap(deposit('ann', 'usd', 10n), 9, walletOf('bob')),
        swap(withdraw('ann', 'usd', 10n), 9, walletOf('bob')),
      ),
      [bent(withdraw('ann', 'usd', 10n), { swap: [10, walletOf('bob')], unsigned: 9 }), 'InvalidSigner'],
      [swap(withdraw('ann', 'usd', 10n), 10, walletOf('bob')), OWNER_MISMATCH],
      swap(deposit('ann', 'usd', 10n), 10, PAYER),
    ],
  },
  {
    name: 'accounts that look like Save’s and are another program’s, or belong to another market',
    steps: [
      ...[...opened, give(USD_RESERVE, TOKEN_PROGRAM)],
      ...refused('InvalidAccountOwner', refresh('usd'), ...everything, refreshObligation('ann')),
      ...[give(USD_RESERVE, SOLEND_PROGRAM), give(MARKET, TOKEN_PROGRAM)],
      ...refused('InvalidAccountOwner', ...everything, init('bob')),
      ...[give(MARKET, SOLEND_PROGRAM), give(obligationOf('ann'), TOKEN_PROGRAM), refreshAll()],
      ...refused(
        'InvalidAccountOwner',
        deposit('ann', 'usd', 10n),
        withdraw('ann', 'usd', 10n),
        refreshObligation('ann'),
      ),
      ...[give(obligationOf('ann'), SOLEND_PROGRAM), setReserve('usd', { lendingMarket: PAYER })],
      ...refused(
        'InvalidAccountInput',
        ...[supply, redeem].map((move) => swap(move('ann', 'usd', 10n), 5, MARKET)),
        ...[deposit, withdraw].map((move) => move('ann', 'usd', 10n)),
      ),
      ...[setReserve('usd', { lendingMarket: MARKET }), setObligation({ lendingMarket: PAYER })],
      ...refused('InvalidAccountInput', deposit('ann', 'usd', 10n), withdraw('ann', 'usd', 10n)),
    ],
  },
  {
    name: 'reserves that cannot be read, and figures beyond the program’s integers',
    steps: [
      setReserve('usd', { version: 2 }),
      [refresh('usd'), 'InvalidAccountData'],
      setReserve('usd', { version: 0 }),
      [refresh('usd'), 'UninitializedAccount'],
      setReserve('usd', { version: 1, lastUpdate: { slot: 0n, stale: 2 } }),
      [refresh('usd'), 'InvalidAccountData'],
      setReserve('usd', { lastUpdate: { slot: 10n ** 12n, stale: 0 } }),
      ...refused('MathOverflow', refresh('usd'), supply('ann', 'usd', 1n)),
      setReserve('alt', { liquidityExtraMarketPriceFlag: 2 }),
      [refresh('alt'), 'InvalidAccountData'],
      setReserve('sol', { reserveType: 2 }),
      [refresh('sol'), 'ProgramFailedToComplete'],
      setReserve('sol', { reserveType: 0, config: { minBorrowRate: 6, optimalUtilizationRate: 99 } }),
      [refresh('sol'), 'MathOverflow'],
      setReserve('sol', { liquidity: { borrowedAmountWads: 2n ** 128n - 1n } }),
      [supply('ann', 'sol', 1n), 'ProgramFailedToComplete'],
    ],
  },
];

export const SOLEND_SCENARIOS: readonly Scenario[] = [...LENDING, ...OBLIGATIONS, ...OUTFLOWS, ...ORACLES, ...ACCOUNTS];

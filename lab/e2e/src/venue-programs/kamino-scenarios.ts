import { NO_KEY } from '@lending/programs';
import { AccountRole, type Address } from '@solana/kit';
import { labelled } from '../real-program/addresses.ts';
import {
  bare,
  DAY,
  deposit,
  initMetadata,
  initObligation,
  redeem,
  refresh,
  refreshBatch,
  refreshObligation,
  SF,
  setMarket,
  setReserve,
  setVault,
  supply,
  supplyUnbridged,
  UNIT,
  window,
  withdraw,
} from './kamino.ts';
import { U64_MAX as ALL, bent, type Scenario, START_TIME, send, time, type User } from './venue.ts';

const { usd: USD, sol: SOL } = UNIT;
const STOPPED = 'ProgramFailedToComplete';
const INSUFFICIENT_TOKENS = 1;
const HAS_ONE_VIOLATED = 2001;
const SEEDS_VIOLATED = 2006;
const NOT_INITIALIZED = 3007;
/** Kamino's market of Jito. */
const OTHER_MARKET = 'H6rHXmXoCQvq8Ue81MqNh7ow5ysPa1dSozwW3PU1dDH6' as Address;

const known = (user: User) => [initMetadata(user), initObligation(user)];

const RESERVES: readonly Scenario[] = [
  {
    name: 'interest of one slot, of two, three and four, and of half a day',
    steps: [
      ...[refresh('usd'), send(refresh('usd'), refresh('sol'), refresh('new'))],
      ...[time(1n), refresh('usd'), time(2n), refresh('usd'), time(DAY / 2n), send(refresh('sol'), refresh('usd'))],
      ...[1n, 2n, 3n, 4n].flatMap((slots) => [
        setReserve('sol', ({ lastUpdate }) => ({ lastUpdate: { slot: lastUpdate.slot - slots } })),
        refresh('sol'),
      ]),
    ],
  },
  {
    name: 'interest in a batch as one by one',
    steps: [time(3_600n), refreshBatch('usd', 'sol', 'new', 'usd'), refreshBatch()],
  },
  {
    name: 'interest at every bend of the curve, beyond full use, and of debts that are none',
    steps: [
      ...[0n, 1n, 1_000n, 3_320_000n, 5_000_000n, 10_000_000n, 60_000_000n, 1_000_000_000n].flatMap((available) => [
        setReserve('usd', { liquidity: { totalAvailableAmount: available * USD } }),
        time(50n),
        refresh('usd'),
      ]),
      setReserve('usd', { config: { protocolTakeRatePct: 100, hostFixedInterestRateBps: 65_535 } }),
      ...[time(9_999n), refresh('usd')],
      ...[setReserve('usd', { liquidity: { borrowedAmountSf: 0n } }), time(9n), refresh('usd')],
    ],
  },
  {
    name: 'fees for referrers: none, all of the take, and more than there is',
    steps: [
      ...[setMarket({ referralFeeBps: 0 }), time(77n), refresh('sol')],
      ...[setMarket({ referralFeeBps: 10_000 }), time(77n), refresh('sol')],
      setReserve('usd', { liquidity: { accumulatedReferrerFeesSf: 100_000_000n * USD * SF } }),
      [refresh('usd'), STOPPED],
    ],
  },
  {
    name: 'limits that are crossed, and that a redemption brings back',
    steps: [
      ...[setReserve('usd', { config: { depositLimit: 5n * USD, borrowLimit: 5n * USD } }), refresh('usd')],
      ...[time(60n), refresh('usd'), setReserve('usd', { config: { depositLimit: ALL } }), refresh('usd')],
      supply('ann', 'usd', 100n * USD),
      ...[setReserve('usd', { config: { depositLimit: 19_987_760n * USD } }), refresh('usd')],
      ...[redeem('ann', 'usd', 10n * USD), redeem('ann', 'usd', 70n * USD)],
    ],
  },
  {
    name: 'a price of a while ago, which may be too old',
    steps: [
      ...[setMarket({ priceRefreshTriggerToMaxAgePct: 200 }), time(DAY), refresh('usd')],
      ...[setReserve('usd', { liquidity: { marketPriceLastUpdatedTs: 2_000_000_000n } }), refresh('usd')],
      ...[setMarket({ priceRefreshTriggerToMaxAgePct: 100 }), refreshBatch('sol')],
      [refresh('sol'), 'InvalidOracleConfig'],
    ],
  },
  {
    name: 'reserves and markets that cannot be refreshed',
    steps: [
      setReserve('usd', { version: 2n }),
      [refresh('usd'), 'ReserveDeprecated'],
      [refreshBatch('sol', 'usd'), 'ReserveDeprecated'],
      [bent(refresh('sol'), { swap: [1, OTHER_MARKET] }), HAS_ONE_VIOLATED],
      setMarket({ emergencyMode: 1 }),
      [refresh('sol'), 'GlobalEmergencyMode'],
      [refreshBatch('sol'), 'GlobalEmergencyMode'],
      [supply('ann', 'sol', SOL), 'GlobalEmergencyMode'],
      [redeem('ann', 'sol', SOL), 'GlobalEmergencyMode'],
      setMarket({ emergencyMode: 0 }),
      setReserve('new', { lastUpdate: { slot: 4_000_000_000n } }),
      [refresh('new'), 'MathOverflow'],
      setReserve('sol', { lendingMarket: NO_KEY as Address }),
      [refreshBatch('sol'), 'InvalidAccountInput'],
    ],
  },
];

const RECEIPTS: readonly Scenario[] = [
  {
    name: 'receipts for tokens and tokens for receipts, each rounded down',
    steps: [
      ...[supply('ann', 'usd', 1_000n * USD + 1n), time(100n), redeem('ann', 'usd', 5n * USD)],
      ...[supply('bob', 'usd', 7n), redeem('bob', 'usd', 1n), supply('bob', 'sol', 123_456_789n)],
      ...[time(1n), redeem('bob', 'sol', 1n), redeem('bob', 'sol', 100_000_000n)],
      ...[supply('ann', 'new', 1_000n), time(9n), redeem('ann', 'new', 1_000n), refresh('new')],
    ],
  },
  {
    name: 'amounts that are nothing, and more than there is',
    steps: [
      [supply('ann', 'usd', 0n), 'InvalidAmount'],
      [redeem('ann', 'usd', 0n), 'InvalidAmount'],
      [redeem('ann', 'usd', 1n), INSUFFICIENT_TOKENS],
      supply('ann', 'usd', 100n * USD),
      setReserve('usd', { liquidity: { totalAvailableAmount: 10n } }),
      [redeem('ann', 'usd', USD), 'InsufficientLiquidity'],
      redeem('ann', 'usd', 5n),
    ],
  },
  {
    name: 'deposits up to the limit, to the unit',
    steps: [
      ...[refresh('new'), setReserve('new', { config: { depositLimit: 1_000n } })],
      [supply('ann', 'new', 1_001n), 'DepositLimitExceeded'],
      supply('ann', 'new', 1_000n),
      [supply('ann', 'new', 1n), 'DepositLimitExceeded'],
    ],
  },
  {
    name: 'what the window lets leave, what comes in, and the next window',
    steps: [
      ...[
        supply('ann', 'sol', 5_000n * SOL),
        setReserve('sol', window({ configCapacity: 1_000n * SOL, currentTotal: 999n * SOL })),
      ],
      [redeem('ann', 'sol', 2n * SOL), 'WithdrawalCapReached'],
      ...[redeem('ann', 'sol', SOL / 2n), supply('bob', 'sol', 3n * SOL), redeem('ann', 'sol', SOL)],
      ...[time(DAY - 1_001n), refreshBatch('sol')],
      [redeem('ann', 'sol', 800n * SOL), 'WithdrawalCapReached'],
      ...[time(1n), redeem('ann', 'sol', 800n * SOL)],
    ],
  },
  {
    name: 'a window without room, one that begins later, and none, whose counter has an end',
    steps: [
      ...[supply('ann', 'sol', 5n * SOL), setReserve('sol', window({ configCapacity: -1n }))],
      [redeem('ann', 'sol', SOL), 'WithdrawalCapReached'],
      setReserve('sol', window({ lastIntervalStartTimestamp: 1_800_000_000n })),
      [redeem('ann', 'sol', SOL), 'LastTimestampGreaterThanCurrent'],
      [supply('ann', 'sol', SOL), 'LastTimestampGreaterThanCurrent'],
      setReserve('sol', window({ configIntervalLengthSeconds: 0n, currentTotal: -(2n ** 63n) + 1n })),
      ...[supply('ann', 'sol', 5n * SOL), redeem('ann', 'sol', SOL)],
    ],
  },
  {
    name: 'an obsolete reserve, which is left and not entered, and one of another version',
    steps: [
      ...[supply('ann', 'usd', 5n * USD), setReserve('usd', { config: { status: 1 } })],
      [supply('ann', 'usd', 5n * USD), 'ReserveObsolete'],
      ...[redeem('ann', 'usd', USD), setReserve('usd', { config: { status: 2 } }), supply('ann', 'usd', USD)],
      setReserve('usd', { version: 0n }),
      [supply('ann', 'usd', 5n * USD), 'ReserveDeprecated'],
      [redeem('ann', 'usd', USD), 'ReserveDeprecated'],
    ],
  },
  {
    name: 'a vault that holds less than it should',
    steps: [
      setReserve('usd', { liquidity: { totalAvailableAmount: 6_000_000n * USD } }),
      [supply('ann', 'usd', USD), STOPPED],
    ],
  },
];

const OBLIGATIONS: readonly Scenario[] = [
  {
    name: 'an obligation is opened once, by those whom klend knows',
    steps: [
      [initObligation('ann'), NOT_INITIALIZED],
      ...known('ann'),
      [initObligation('bob', 'ann'), SEEDS_VIOLATED],
      [initMetadata('ann'), 0],
      [initObligation('ann'), 0],
    ],
  },
  {
    name: 'an obligation holds receipts of several reserves, gives them back and is closed',
    steps: [
      ...[...known('ann'), deposit('ann', 'usd', 100n * USD), time(60n), deposit('ann', 'sol', 7n * SOL + 7n)],
      ...[deposit('ann', 'new', 50_000n), deposit('ann', 'usd', USD + 3n)],
      ...[time(60n), withdraw('ann', 'usd', 3n * USD), withdraw('ann', 'usd', USD), time(1n)],
      ...[withdraw('ann', 'usd', ALL), withdraw('ann', 'sol', 999_999_999_999n), withdraw('ann', 'new', 50_000n)],
      ...[...known('bob'), initObligation('ann'), deposit('ann', 'sol', SOL)],
    ],
  },
  {
    name: 'an obligation is refreshed from all its reserves, in its order, fresh and to be written',
    steps: [
      ...[...known('ann'), deposit('ann', 'usd', 100n * USD), deposit('ann', 'sol', SOL)],
      [refreshObligation('ann'), 'ReserveStale'],
      [send(refresh('usd'), refresh('sol'), refreshObligation('ann', ['usd'])), 'InvalidAccountInput'],
      [send(refresh('usd'), refresh('sol'), refreshObligation('ann', ['sol', 'usd'])), 'InvalidAccountInput'],
      send(refresh('usd'), refresh('sol'), refreshObligation('ann', ['usd', 'sol'])),
      [send(refresh('usd'), refreshObligation('ann', ['usd', 'usd'])), 'InvalidAccountInput'],
      [refreshObligation('ann', ['usd', 'sol'], AccountRole.READONLY), 'InvalidAccountInput'],
      ...[time(1n), setReserve('usd', { version: 3n })],
      [send(refresh('sol'), refreshObligation('ann', ['usd', 'sol'])), 'ReserveStale'],
      setMarket({ emergencyMode: 1 }),
      [refreshObligation('ann'), 'GlobalEmergencyMode'],
    ],
  },
  {
    name: 'amounts that are nothing, come to nothing or are not there',
    steps: [
      ...known('ann'),
      [deposit('ann', 'usd', 0n), 'InvalidAmount'],
      [deposit('ann', 'usd', 1n), 'InvalidAmount'],
      [withdraw('ann', 'usd', USD), 'ObligationDepositsEmpty'],
      deposit('ann', 'usd', 2n * USD),
      [withdraw('ann', 'usd', 0n), 'InvalidAmount'],
      [withdraw('ann', 'sol', SOL), 'InvalidObligationCollateral'],
    ],
  },
  {
    name: 'deposits that are worth too little, or nothing',
    steps: [
      ...[...known('ann'), setMarket({ minNetValueInObligationSf: 5n * SF })],
      [deposit('ann', 'usd', 4n * USD), 'NetValueRemainingTooSmall'],
      deposit('ann', 'usd', 10n * USD),
      [withdraw('ann', 'usd', 5n * USD), 'NetValueRemainingTooSmall'],
      ...[withdraw('ann', 'usd', ALL), initObligation('ann')],
      setReserve('usd', { liquidity: { marketPriceSf: 0n } }),
      [deposit('ann', 'usd', 10n * USD), STOPPED],
      ...[deposit('ann', 'sol', SOL), deposit('ann', 'usd', 10n * USD), withdraw('ann', 'usd', 5n * USD)],
      ...[withdraw('ann', 'sol', ALL), withdraw('ann', 'usd', ALL)],
    ],
  },
  {
    name: 'an obsolete reserve is left first',
    steps: [
      ...[...known('ann'), deposit('ann', 'sol', SOL), deposit('ann', 'usd', 10n * USD)],
      setReserve('usd', { config: { status: 1 } }),
      [withdraw('ann', 'sol', SOL / 10n), 'ObligationInObsoleteReserve'],
      [deposit('ann', 'usd', USD), 'ReserveObsolete'],
      ...[withdraw('ann', 'usd', ALL), withdraw('ann', 'sol', SOL / 10n)],
    ],
  },
  {
    name: 'no more than the limit, the liquidity and the window let through',
    steps: [
      ...[...known('ann'), deposit('ann', 'sol', 50n * SOL), setReserve('sol', window({ configCapacity: SOL }))],
      [withdraw('ann', 'sol', 2n * SOL), 'WithdrawalCapReached'],
      ...[withdraw('ann', 'sol', SOL / 2n), setReserve('sol', { liquidity: { totalAvailableAmount: 5n } })],
      [withdraw('ann', 'sol', 100n), 'InsufficientLiquidity'],
      setReserve('sol', { config: { depositLimit: SOL } }),
      [deposit('ann', 'sol', 1_000n), 'DepositLimitExceeded'],
    ],
  },
  {
    name: 'what prices passed, and what may no longer be borrowed against',
    steps: [
      ...[...known('ann'), deposit('ann', 'usd', 10n * USD), deposit('ann', 'sol', SOL)],
      ...[
        setReserve('usd', { lastUpdate: { priceStatus: 59 } }),
        setReserve('sol', { lastUpdate: { priceStatus: 15 } }),
      ],
      ...[withdraw('ann', 'usd', USD), deposit('ann', 'sol', SOL)],
      ...[setReserve('usd', { config: { disableUsageAsCollOutsideEmode: 1 } }), deposit('ann', 'usd', USD)],
      ...[
        setReserve('usd', { config: { liquidationThresholdPct: 40, loanToValuePct: 40 } }),
        deposit('ann', 'usd', USD),
      ],
      ...[setMarket({ globalAllowedBorrowValue: 2n }), deposit('ann', 'usd', USD)],
      ...[setMarket({ minValueSkipLiquidationLtvChecks: ALL }), deposit('ann', 'usd', USD)],
    ],
  },
];

/** What came after the public program, or what it does otherwise. */
const TODAY: readonly Scenario[] = [
  {
    name: 'a deposit that mints nothing, for which nothing is taken',
    steps: [supplyUnbridged('ann', 'usd', 1n), [redeem('ann', 'usd', 1n), INSUFFICIENT_TOKENS]],
  },
  {
    name: 'tokens that the queue waits for',
    steps: [
      supply('ann', 'usd', 9_000_000n * USD),
      setReserve('usd', { withdrawQueue: { queuedCollateralAmount: 10_000_000n * USD } }),
      [redeem('ann', 'usd', 5_000_000n * USD), 'InsufficientLiquidity'],
      redeem('ann', 'usd', 2_000_000n * USD),
    ],
  },
  {
    name: 'rewards out of what the vault holds besides',
    steps: [
      setMarket({ reserveRewardsMaxAprBps: 10_000 }),
      ...(['usd', 'sol'] as const).flatMap((reserve) => [
        setReserve(reserve, {
          liquidity: { rewardsAmountAvailable: 1_000n * UNIT[reserve] },
          config: { rewardsAmountPerSlot: UNIT[reserve] },
        }),
        setVault(reserve, 5_001_000n * UNIT[reserve] + 3n),
      ]),
      ...[refresh('usd'), time(10n), supply('ann', 'usd', 100n * USD), time(10n), redeem('ann', 'usd', 10n * USD)],
      ...[time(100_000n), setReserve('usd', { liquidity: { marketPriceLastUpdatedTs: START_TIME + 100_000n } })],
      ...[refresh('usd'), redeem('ann', 'usd', 10n * USD), ...known('bob')],
      send(refreshBatch('sol'), refreshObligation('bob'), bare('deposit', 'bob', 'sol', SOL)),
    ],
  },
  {
    name: 'an emergency of a reserve, receipts that are blocked, and deposits that want a signature',
    steps: [
      ...[...known('ann'), supply('ann', 'usd', 10n * USD), deposit('ann', 'usd', 10n * USD)],
      setReserve('usd', { config: { emergencyMode: 1 } }),
      ...[supply, redeem, deposit, withdraw].map((move) => [move('ann', 'usd', USD), 'ReserveEmergencyMode'] as const),
      setReserve('usd', { config: { emergencyMode: 0, blockCtokenUsage: 1 } }),
      deposit('ann', 'usd', USD),
      [supply('ann', 'usd', USD), 'CTokenUsageBlocked'],
      setReserve('usd', { permissionedOps: 1n }),
      [deposit('ann', 'usd', USD), 'MissingPermissioner'],
      ...[withdraw('ann', 'usd', USD), setReserve('usd', { permissionedOps: 6n }), deposit('ann', 'usd', USD)],
      setMarket({ permissionedOps: 1n }),
      [supply('ann', 'sol', SOL), 'MissingPermissioner'],
    ],
  },
  {
    name: 'a farm that must hear of a deposit',
    steps: [
      ...[...known('ann'), setReserve('usd', { farmCollateral: labelled('kamino farm') })],
      [deposit('ann', 'usd', USD), 'FarmAccountsMissing'],
    ],
  },
  {
    name: 'a deposit and a withdrawal without refreshes before them',
    steps: [
      ...known('ann'),
      [bare('deposit', 'ann', 'usd', USD), 'ReserveStale'],
      [send(refresh('usd'), bare('deposit', 'ann', 'usd', USD)), 'ObligationStale'],
      send(refresh('usd'), refreshObligation('ann'), refresh('sol'), bare('deposit', 'ann', 'usd', USD)),
      [send(refresh('usd'), bare('withdraw', 'ann', 'usd', USD)), 'ObligationStale'],
    ],
  },
  {
    name: 'interest by the second where the basis says so, once a second was noted, and a basis unheard of',
    steps: [
      ...[setReserve('usd', { config: { interestRateBasis: 1 } }), refresh('usd'), time(7n), refresh('usd')],
      setReserve('usd', { config: { interestRateBasis: 2 } }),
      [refresh('usd'), STOPPED],
    ],
  },
];

export const KAMINO_SCENARIOS: readonly Scenario[] = [
  ...RESERVES,
  ...RECEIPTS,
  ...OBLIGATIONS,
  ...TODAY.map((scenario) => ({ ...scenario, isToday: true })),
];

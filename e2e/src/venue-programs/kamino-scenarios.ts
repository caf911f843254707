import { KLEND_ERRORS, type KlendErrorName } from '@lending/programs';
import { type Op, type Step, sandwich } from './kamino-steps.ts';
import { FARM, type ReserveName, type User } from './kamino-world.ts';

/** What a step must come to: an error of klend's by its name, another program's by its number, a name of the runtime's, or nothing. */
type Outcome = KlendErrorName | number | string | null;

export interface Scenario {
  readonly name: string;
  /** Of today's klend alone: the ELF at hand is older and comes to something else. */
  readonly isToday?: boolean;
  /** Of the older deposits and withdrawals alone: the newer want no refreshes right before them. */
  readonly isAboutNeighbours?: boolean;
  readonly steps: readonly (readonly [Step, Outcome])[];
}

const ALL = 2n ** 64n - 1n;
const USD = 10n ** 6n;
const SOL = 10n ** 9n;
const SF = 1n << 60n;
const DAY = 86_400n;

const STOPPED = 'ProgramFailedToComplete';
const INSUFFICIENT_TOKENS = 1;
const HAS_ONE_VIOLATED = 2001;
const SEEDS_VIOLATED = 2006;
const KEYS_EQUAL_VIOLATED = 2502;

const fine = (...steps: readonly Step[]) => steps.map((step) => [step, null] as const);
const send = (...ops: readonly Op[]): Step => ({ kind: 'send', ops });
const time = (seconds: bigint): Step => ({ kind: 'time', seconds });
const refresh = (reserve: ReserveName): Op => ({ op: 'refresh', reserve });
const refreshObligation = (user: User, reserves?: readonly ReserveName[]): Op => ({
  op: 'refreshObligation',
  user,
  ...(reserves && { reserves }),
});
const known = (user: User) => fine(send({ op: 'initMetadata', user }), send({ op: 'initObligation', user }));
const move = (op: Extract<Op, { amount: bigint }>['op']) => (user: User, reserve: ReserveName, amount: bigint) =>
  ({ op, user, reserve, amount }) as const;
const [supply, redeem, deposit, withdraw] = [move('supply'), move('redeem'), move('deposit'), move('withdraw')];
const [depositNewer, withdrawNewer] = [move('depositV2'), move('withdrawV2')];
type SetReserve = Extract<Step, { kind: 'setReserve' }>;
const setReserve = (reserve: ReserveName, fields: SetReserve['fields']): Step => ({
  kind: 'setReserve',
  reserve,
  fields,
});
const setMarket = (fields: Extract<Step, { kind: 'setMarket' }>['fields']): Step => ({ kind: 'setMarket', fields });

export function outcomeOf(expected: Outcome): number | string | null {
  return expected !== null && Object.hasOwn(KLEND_ERRORS, expected)
    ? KLEND_ERRORS[expected as KlendErrorName]
    : expected;
}

const REFRESHES: readonly Scenario[] = [
  {
    name: 'accrues one, two, three, four slots and more',
    steps: [
      ...fine(send(refresh('usd')), send(refresh('usd'), refresh('sol'), refresh('new'))),
      ...fine(time(1n), send(refresh('usd')), time(2n), send(refresh('usd'), refresh('sol')), time(3n)),
      ...fine(send(refresh('sol'), refresh('usd')), time(DAY / 2n), send(refresh('sol'), refresh('usd'))),
      ...fine(setReserve('usd', { lastUpdate: { slot: 3_540_000_000n } }), send(refresh('usd'))),
      ...[1n, 3n].flatMap((slots) =>
        fine(setReserve('sol', { lastUpdate: { slot: 3_540_086_412n - slots } }), send(refresh('sol'))),
      ),
    ],
  },
  {
    name: 'accrues in a batch as one by one',
    steps: [
      ...fine(time(3_600n), send({ op: 'refreshBatch', reserves: ['usd', 'sol', 'new', 'usd'] })),
      ...fine(send({ op: 'refreshBatch', reserves: [] })),
    ],
  },
  {
    name: 'accrues at every bend of the curve, and beyond full use',
    steps: [
      ...[0n, 1n, 1_000n, 3_320_000n, 5_000_000n, 10_000_000n, 60_000_000n, 1_000_000_000n].flatMap((available) =>
        fine(
          setReserve('usd', { liquidity: { totalAvailableAmount: available * USD } }),
          time(50n),
          send(refresh('usd')),
        ),
      ),
      ...fine(setReserve('usd', { config: { protocolTakeRatePct: 100, hostFixedInterestRateBps: 65_535 } })),
      ...fine(time(9_999n), send(refresh('usd'))),
      ...fine(setReserve('usd', { liquidity: { borrowedAmountSf: 0n } }), time(9n), send(refresh('usd'))),
    ],
  },
  {
    name: 'accrues nothing for referrers where there is no such fee, and all of the take where it is whole',
    steps: [
      ...fine(setMarket({ referralFeeBps: 0 }), time(77n), send(refresh('sol'))),
      ...fine(setMarket({ referralFeeBps: 10_000 }), time(77n), send(refresh('sol'))),
    ],
  },
  {
    name: 'stops where fees are more than there is',
    steps: [
      ...fine(setReserve('usd', { liquidity: { accumulatedReferrerFeesSf: 100_000_000n * USD * SF } })),
      [send(refresh('usd')), STOPPED],
    ],
  },
  {
    name: 'notes since when a limit is crossed',
    steps: [
      ...fine(setReserve('usd', { config: { depositLimit: 5n * USD, borrowLimit: 5n * USD } }), send(refresh('usd'))),
      ...fine(time(60n), send(refresh('usd'))),
      ...fine(setReserve('usd', { config: { depositLimit: ALL } }), send(refresh('usd'))),
    ],
  },
  {
    name: 'notes when a redemption brings a reserve back under its limit',
    steps: [
      ...fine(
        send(supply('ann', 'usd', 100n * USD)),
        setReserve('usd', { config: { depositLimit: 19_987_750n * USD } }),
      ),
      ...fine(send(refresh('usd')), send(redeem('ann', 'usd', 10n * USD)), send(redeem('ann', 'usd', 70n * USD))),
    ],
  },
  {
    name: 'forgets what an old price passed',
    steps: [
      ...fine(setMarket({ priceRefreshTriggerToMaxAgePct: 200 }), time(DAY), send(refresh('usd'))),
      ...fine(setReserve('usd', { liquidity: { marketPriceLastUpdatedTs: 2_000_000_000n } }), send(refresh('usd'))),
    ],
  },
  {
    name: 'wants a price as soon as the market says, and says that no feed is named',
    steps: [
      [time(DAY), null],
      [send(refresh('usd')), 'InvalidOracleConfig'],
      ...fine(send({ op: 'refreshBatch', reserves: ['usd'] })),
    ],
  },
  {
    name: 'refuses what may not be refreshed',
    steps: [
      ...fine(setReserve('usd', { version: 2n })),
      [send(refresh('usd')), 'ReserveDeprecated'],
      [send({ op: 'refreshBatch', reserves: ['sol', 'usd'] }), 'ReserveDeprecated'],
      ...fine(setMarket({ emergencyMode: 1 })),
      [send(refresh('sol')), 'GlobalEmergencyMode'],
      [send({ op: 'refreshBatch', reserves: ['sol'] }), 'GlobalEmergencyMode'],
      ...fine(
        setMarket({ emergencyMode: 0 }),
        setReserve('sol', { lendingMarket: '11111111111111111111111111111111' as never }),
      ),
      [send(refresh('sol')), HAS_ONE_VIOLATED],
      [send({ op: 'refreshBatch', reserves: ['sol'] }), 'InvalidAccountInput'],
      ...fine(setReserve('new', { lastUpdate: { slot: 4_000_000_000n } })),
      [send(refresh('new')), 'MathOverflow'],
    ],
  },
];

const RECEIPTS: readonly Scenario[] = [
  {
    name: 'sells and takes back receipts, each rounded down',
    steps: [
      ...fine(send(supply('ann', 'usd', 1_000n * USD + 1n)), time(100n), send(redeem('ann', 'usd', 5n * USD))),
      ...fine(send(supply('bob', 'usd', 7n)), send(redeem('bob', 'usd', 1n)), send(supply('bob', 'sol', 123_456_789n))),
      ...fine(time(1n), send(redeem('bob', 'sol', 1n)), send(redeem('bob', 'sol', 100_000_000n))),
    ],
  },
  {
    name: 'sells receipts of an empty reserve one to one, and empties it again',
    steps: fine(send(supply('ann', 'new', 1_000n)), time(9n), send(redeem('ann', 'new', 1_000n)), send(refresh('new'))),
  },
  {
    name: 'takes nothing for a deposit that mints nothing',
    isToday: true,
    steps: [...fine(send(supply('ann', 'usd', 1n))), [send(redeem('ann', 'usd', 1n)), INSUFFICIENT_TOKENS]],
  },
  {
    name: 'refuses amounts that are nothing',
    steps: [
      [send(supply('ann', 'usd', 0n)), 'InvalidAmount'],
      [send(redeem('ann', 'usd', 0n)), 'InvalidAmount'],
      [send(redeem('ann', 'usd', 1n)), INSUFFICIENT_TOKENS],
    ],
  },
  {
    name: 'takes no more than the limit, to the unit',
    steps: [
      ...fine(send(refresh('new')), setReserve('new', { config: { depositLimit: 1_000n } })),
      [send(supply('ann', 'new', 1_001n)), 'DepositLimitExceeded'],
      ...fine(send(supply('ann', 'new', 1_000n))),
      [send(supply('ann', 'new', 1n)), 'DepositLimitExceeded'],
    ],
  },
  {
    name: 'pays out no more than is there',
    steps: [
      ...fine(send(supply('ann', 'usd', 100n * USD)), setReserve('usd', { liquidity: { totalAvailableAmount: 10n } })),
      [send(redeem('ann', 'usd', USD)), 'InsufficientLiquidity'],
      ...fine(send(redeem('ann', 'usd', 5n))),
    ],
  },
  {
    name: 'counts what flows against the window',
    steps: [
      ...fine(send(supply('ann', 'sol', 5_000n * SOL))),
      ...fine(
        setReserve('sol', {
          config: {
            depositWithdrawalCap: {
              configCapacity: 1_000n * 10n ** 9n,
              currentTotal: 999n * 10n ** 9n,
              lastIntervalStartTimestamp: 1_769_999_000n,
              configIntervalLengthSeconds: DAY,
            },
          },
        }),
      ),
      [send(redeem('ann', 'sol', 2n * SOL)), 'WithdrawalCapReached'],
      ...fine(
        send(redeem('ann', 'sol', SOL / 2n)),
        send(supply('bob', 'sol', 3n * SOL)),
        send(redeem('ann', 'sol', SOL)),
      ),
      ...fine(time(DAY - 1_001n), send({ op: 'refreshBatch', reserves: ['sol'] })),
      [send(redeem('ann', 'sol', 800n * SOL)), 'WithdrawalCapReached'],
      ...fine(time(1n), send(redeem('ann', 'sol', 800n * SOL))),
    ],
  },
  {
    name: 'lets nothing out of a window without room, and stops at one that begins later',
    steps: [
      ...fine(
        send(supply('ann', 'sol', 5n * SOL)),
        setReserve('sol', { config: { depositWithdrawalCap: cap({ configCapacity: -1n }) } }),
      ),
      [send(redeem('ann', 'sol', SOL)), 'WithdrawalCapReached'],
      ...fine(
        setReserve('sol', { config: { depositWithdrawalCap: cap({ lastIntervalStartTimestamp: 1_800_000_000n }) } }),
      ),
      [send(redeem('ann', 'sol', SOL)), 'LastTimestampGreaterThanCurrent'],
      [send(supply('ann', 'sol', SOL)), 'LastTimestampGreaterThanCurrent'],
    ],
  },
  {
    name: 'counts without a window as far as the counter goes',
    steps: [
      ...fine(
        send(supply('ann', 'usd', 5n * USD)),
        setReserve('usd', {
          config: { depositWithdrawalCap: cap({ configIntervalLengthSeconds: 0n, currentTotal: -(2n ** 63n) + 1n }) },
        }),
      ),
      ...fine(send(supply('ann', 'usd', 5n * USD)), send(redeem('ann', 'usd', USD))),
    ],
  },
  {
    name: 'lets people leave an obsolete reserve, but not enter',
    steps: [
      ...fine(send(supply('ann', 'usd', 5n * USD)), setReserve('usd', { config: { status: 1 } })),
      [send(supply('ann', 'usd', 5n * USD)), 'ReserveObsolete'],
      ...fine(
        send(redeem('ann', 'usd', USD)),
        setReserve('usd', { config: { status: 2 } }),
        send(supply('ann', 'usd', USD)),
      ),
      ...fine(setReserve('usd', { version: 0n })),
      [send(supply('ann', 'usd', 5n * USD)), 'ReserveDeprecated'],
      [send(redeem('ann', 'usd', USD)), 'ReserveDeprecated'],
    ],
  },
  {
    name: 'stops where the vault holds less than it should',
    steps: [
      ...fine(setReserve('usd', { liquidity: { totalAvailableAmount: 6_000_000n * USD } })),
      [send(supply('ann', 'usd', USD)), STOPPED],
    ],
  },
  {
    name: 'refuses all in an emergency',
    steps: [
      ...fine(setMarket({ emergencyMode: 1 })),
      [send(supply('ann', 'usd', USD)), 'GlobalEmergencyMode'],
      [send(redeem('ann', 'usd', USD)), 'GlobalEmergencyMode'],
    ],
  },
];

function cap(fields: Partial<Parameters<typeof capOf>[0]>) {
  return capOf({
    configCapacity: 10n ** 15n,
    currentTotal: 0n,
    lastIntervalStartTimestamp: 1_769_999_000n,
    configIntervalLengthSeconds: DAY,
    ...fields,
  });
}

function capOf(whole: {
  readonly configCapacity: bigint;
  readonly currentTotal: bigint;
  readonly lastIntervalStartTimestamp: bigint;
  readonly configIntervalLengthSeconds: bigint;
}) {
  return whole;
}

const OBLIGATIONS: readonly Scenario[] = [
  {
    name: 'holds receipts of several reserves, gives them back and is closed',
    steps: [
      ...known('ann'),
      ...fine(sandwich(deposit('ann', 'usd', 100n * USD)), time(60n), sandwich(deposit('ann', 'sol', 7n * SOL + 7n))),
      ...fine(sandwich(deposit('ann', 'new', 500n)), sandwich(deposit('ann', 'usd', 1n * USD + 3n))),
      ...fine(time(60n), sandwich(withdraw('ann', 'usd', 3n * USD)), time(1n), sandwich(withdraw('ann', 'usd', ALL))),
      ...fine(sandwich(withdraw('ann', 'sol', 999_999_999_999n)), sandwich(withdraw('ann', 'new', 500n))),
      ...known('bob'),
      ...fine(send({ op: 'initObligation', user: 'ann' }), sandwich(deposit('ann', 'sol', SOL))),
    ],
  },
  {
    name: 'is made once, and for those whom klend knows',
    steps: [
      [send({ op: 'initObligation', user: 'ann' }), 3007],
      ...known('ann'),
      [send({ op: 'initObligation', user: 'bob', as: 'ann' }), SEEDS_VIOLATED],
      [send({ op: 'initMetadata', user: 'ann' }), 0],
      [send({ op: 'initObligation', user: 'ann' }), 0],
    ],
  },
  {
    name: 'wants its refreshes right before it',
    isAboutNeighbours: true,
    steps: [
      ...known('ann'),
      // The instruction before it sets the compute limit, in five bytes.
      [send(deposit('ann', 'usd', USD)), STOPPED],
      [send(refresh('usd'), deposit('ann', 'usd', USD)), 'IncorrectInstructionInPosition'],
      [send(refreshObligation('ann'), refresh('usd'), deposit('ann', 'usd', USD)), 'IncorrectInstructionInPosition'],
      [send(refresh('sol'), refreshObligation('ann'), deposit('ann', 'usd', USD)), KEYS_EQUAL_VIOLATED],
      ...fine(send(refresh('usd'), refreshObligation('ann'), deposit('ann', 'usd', USD))),
      [send(refresh('usd'), withdraw('ann', 'usd', USD)), 'IncorrectInstructionInPosition'],
      [send(refresh('usd'), refreshObligation('ann'), withdraw('ann', 'sol', USD)), KEYS_EQUAL_VIOLATED],
    ],
  },
  {
    name: 'wants all its reserves, in its own order, fresh',
    steps: [
      ...known('ann'),
      ...fine(sandwich(deposit('ann', 'usd', 100n * USD)), sandwich(deposit('ann', 'sol', SOL))),
      [send(refreshObligation('ann')), 'ReserveStale'],
      [send(refresh('usd'), refresh('sol'), refreshObligation('ann', ['usd'])), 'InvalidAccountInput'],
      [send(refresh('usd'), refresh('sol'), refreshObligation('ann', ['sol', 'usd'])), 'InvalidAccountInput'],
      ...fine(send(refresh('usd'), refresh('sol'), refreshObligation('ann', ['usd', 'sol']))),
      [send(refresh('usd'), refreshObligation('ann', ['usd', 'usd'])), 'InvalidAccountInput'],
      ...fine(setReserve('usd', { version: 3n })),
      [send(refresh('sol'), refreshObligation('ann', ['usd', 'sol'])), 'ReserveDeprecated'],
    ],
  },
  {
    name: 'wants to be given its reserves to write',
    steps: [
      ...known('ann'),
      ...fine(sandwich(deposit('ann', 'usd', 100n * USD))),
      [send({ ...refreshObligation('ann'), isReadOnly: true } as Op), 'InvalidAccountInput'],
      ...fine(time(1n), send(refresh('usd'))),
      [send({ ...refreshObligation('ann'), isReadOnly: true } as Op), 'InvalidAccountInput'],
    ],
  },
  {
    name: 'is stale after each move, and its reserve, too',
    isAboutNeighbours: true,
    steps: [
      ...known('ann'),
      [
        send(refresh('usd'), refreshObligation('ann'), deposit('ann', 'usd', USD), deposit('ann', 'usd', USD)),
        'IncorrectInstructionInPosition',
      ],
      ...fine(sandwich(deposit('ann', 'usd', 5n * USD))),
      ...fine(sandwich(withdraw('ann', 'usd', USD)), sandwich(withdraw('ann', 'usd', USD))),
    ],
  },
  {
    name: 'refuses amounts that are nothing, or come to nothing',
    steps: [
      ...known('ann'),
      [sandwich(deposit('ann', 'usd', 0n)), 'InvalidAmount'],
      [sandwich(deposit('ann', 'usd', 1n)), 'InvalidAmount'],
      [sandwich(withdraw('ann', 'usd', USD)), 'ObligationDepositsEmpty'],
      ...fine(sandwich(deposit('ann', 'usd', 2n * USD))),
      [sandwich(withdraw('ann', 'usd', 0n)), 'InvalidAmount'],
      [sandwich(withdraw('ann', 'sol', SOL)), 'InvalidObligationCollateral'],
    ],
  },
  {
    name: 'holds nothing that is worth too little, and stops at what is worth nothing',
    steps: [
      ...known('ann'),
      ...fine(setMarket({ minNetValueInObligationSf: 5n * SF })),
      [sandwich(deposit('ann', 'usd', 4n * USD)), 'NetValueRemainingTooSmall'],
      ...fine(sandwich(deposit('ann', 'usd', 10n * USD))),
      [sandwich(withdraw('ann', 'usd', 5n * USD)), 'NetValueRemainingTooSmall'],
      ...fine(sandwich(withdraw('ann', 'usd', ALL)), send({ op: 'initObligation', user: 'ann' })),
      ...fine(setReserve('usd', { liquidity: { marketPriceSf: 0n } })),
      [sandwich(deposit('ann', 'usd', 10n * USD)), STOPPED],
    ],
  },
  {
    name: 'counts what is worth nothing beside what is worth something',
    steps: [
      ...known('ann'),
      ...fine(sandwich(deposit('ann', 'sol', SOL)), setReserve('usd', { liquidity: { marketPriceSf: 0n } })),
      ...fine(sandwich(deposit('ann', 'usd', 10n * USD)), sandwich(withdraw('ann', 'usd', 5n * USD))),
      ...fine(sandwich(withdraw('ann', 'sol', ALL)), sandwich(withdraw('ann', 'usd', ALL))),
    ],
  },
  {
    name: 'may leave an obsolete reserve first, and only that',
    steps: [
      ...known('ann'),
      ...fine(sandwich(deposit('ann', 'sol', SOL)), sandwich(deposit('ann', 'usd', 10n * USD))),
      ...fine(setReserve('usd', { config: { status: 1 } })),
      [sandwich(withdraw('ann', 'sol', SOL / 10n)), 'ObligationInObsoleteReserve'],
      [sandwich(deposit('ann', 'usd', USD)), 'ReserveObsolete'],
      ...fine(sandwich(withdraw('ann', 'usd', ALL)), sandwich(withdraw('ann', 'sol', SOL / 10n))),
    ],
  },
  {
    name: 'takes no more than the limit, the liquidity and the window let through',
    steps: [
      ...known('ann'),
      ...fine(sandwich(deposit('ann', 'sol', 50n * SOL))),
      ...fine(setReserve('sol', { config: { depositWithdrawalCap: cap({ configCapacity: 10n ** 9n }) } })),
      [sandwich(withdraw('ann', 'sol', 2n * SOL)), 'WithdrawalCapReached'],
      ...fine(sandwich(withdraw('ann', 'sol', SOL / 2n))),
      ...fine(setReserve('sol', { liquidity: { totalAvailableAmount: 5n } })),
      [sandwich(withdraw('ann', 'sol', 100n)), 'InsufficientLiquidity'],
      ...fine(setReserve('sol', { config: { depositLimit: SOL } })),
      [sandwich(deposit('ann', 'sol', 1_000n)), 'DepositLimitExceeded'],
    ],
  },
  {
    name: 'is its owner’s alone, and stands still in an emergency',
    steps: [
      ...known('ann'),
      ...known('bob'),
      ...fine(sandwich(deposit('ann', 'usd', 10n * USD)), setMarket({ emergencyMode: 1 })),
      [send(refreshObligation('ann')), 'GlobalEmergencyMode'],
    ],
  },
  {
    name: 'passes the checks that the prices of all its reserves pass',
    steps: [
      ...known('ann'),
      ...fine(sandwich(deposit('ann', 'usd', 10n * USD)), sandwich(deposit('ann', 'sol', SOL))),
      ...fine(
        setReserve('usd', { lastUpdate: { priceStatus: 59 } }),
        setReserve('sol', { lastUpdate: { priceStatus: 15 } }),
      ),
      ...fine(
        sandwich(withdraw('ann', 'usd', USD)),
        sandwich(withdraw('ann', 'usd', ALL)),
        sandwich(deposit('ann', 'sol', SOL)),
      ),
    ],
  },
  {
    name: 'marks what may no longer be borrowed against',
    steps: [
      ...known('ann'),
      ...fine(
        sandwich(deposit('ann', 'usd', 10n * USD)),
        setReserve('usd', { config: { disableUsageAsCollOutsideEmode: 1 } }),
      ),
      ...fine(
        sandwich(deposit('ann', 'usd', USD)),
        setReserve('usd', { config: { liquidationThresholdPct: 40, loanToValuePct: 40 } }),
      ),
      ...fine(sandwich(deposit('ann', 'usd', USD)), setMarket({ globalAllowedBorrowValue: 2n })),
      ...fine(sandwich(deposit('ann', 'usd', USD)), setMarket({ minValueSkipLiquidationLtvChecks: ALL })),
      ...fine(sandwich(deposit('ann', 'usd', USD))),
    ],
  },
];

/** What came after the ELF at hand, or what it does otherwise. */
const TODAY: readonly Scenario[] = [
  {
    name: 'keeps back what the queue waits for',
    steps: [
      ...fine(send(supply('ann', 'usd', 9_000_000n * USD))),
      ...fine(setReserve('usd', { withdrawQueue: { queuedCollateralAmount: 10_000_000n * USD } })),
      [send(redeem('ann', 'usd', 5_000_000n * USD)), 'InsufficientLiquidity'],
      ...fine(send(redeem('ann', 'usd', 2_000_000n * USD))),
    ],
  },
  {
    name: 'pays rewards out of what the vault holds beside',
    steps: [
      ...fine(
        setMarket({ reserveRewardsMaxAprBps: 10_000 }),
        setReserve('usd', {
          liquidity: { rewardsAmountAvailable: 1_000n * USD },
          config: { rewardsAmountPerSlot: USD },
        }),
        setReserve('sol', {
          liquidity: { rewardsAmountAvailable: 1_000n * SOL },
          config: { rewardsAmountPerSlot: SOL },
        }),
        { kind: 'setVault', reserve: 'usd', amount: 5_001_000n * USD + 3n },
        { kind: 'setVault', reserve: 'sol', amount: 5_001_000n * SOL + 3n },
      ),
      ...fine(send(refresh('usd')), time(10n), send(supply('ann', 'usd', 100n * USD)), time(10n)),
      ...fine(
        send(redeem('ann', 'usd', 10n * USD)),
        time(100_000n),
        setReserve('usd', { liquidity: { marketPriceLastUpdatedTs: 1_770_100_000n } }),
      ),
      ...fine(send(refresh('usd')), send(redeem('ann', 'usd', 10n * USD))),
      ...known('bob'),
      ...fine({
        kind: 'send',
        ops: [{ op: 'refreshBatch', reserves: ['sol'] }, refreshObligation('bob'), depositNewer('bob', 'sol', SOL)],
      }),
    ],
  },
  {
    name: 'lets nobody in or out of a reserve in an emergency of its own',
    steps: [
      ...known('ann'),
      ...fine(send(supply('ann', 'usd', 10n * USD)), sandwich(deposit('ann', 'usd', 10n * USD))),
      ...fine(setReserve('usd', { config: { emergencyMode: 1 } })),
      [send(supply('ann', 'usd', USD)), 'ReserveEmergencyMode'],
      [send(redeem('ann', 'usd', USD)), 'ReserveEmergencyMode'],
      [sandwich(deposit('ann', 'usd', USD)), 'ReserveEmergencyMode'],
      [sandwich(withdraw('ann', 'usd', USD)), 'ReserveEmergencyMode'],
    ],
  },
  {
    name: 'sells no receipts where they are blocked, but lends all the same',
    steps: [
      ...known('ann'),
      ...fine(setReserve('usd', { config: { blockCtokenUsage: 1 } }), sandwich(deposit('ann', 'usd', USD))),
      [send(supply('ann', 'usd', USD)), 'CTokenUsageBlocked'],
    ],
  },
  {
    name: 'takes deposits only with a signature it has no place for, and gives them back without',
    steps: [
      ...known('ann'),
      ...fine(sandwich(deposit('ann', 'usd', 5n * USD)), setReserve('usd', { permissionedOps: 1n })),
      [sandwich(deposit('ann', 'usd', USD)), 'MissingPermissioner'],
      ...fine(sandwich(withdraw('ann', 'usd', USD)), setReserve('usd', { permissionedOps: 6n })),
      ...fine(sandwich(deposit('ann', 'usd', USD)), setMarket({ permissionedOps: 1n })),
      [send(supply('ann', 'sol', SOL)), 'MissingPermissioner'],
    ],
  },
  {
    name: 'wants the farm of a reserve told',
    isAboutNeighbours: true,
    steps: [
      ...known('ann'),
      ...fine(setReserve('usd', { farmCollateral: FARM })),
      [sandwich(deposit('ann', 'usd', USD)), 'IncorrectInstructionInPosition'],
      [send(refresh('usd'), refreshObligation('ann'), depositNewer('ann', 'usd', USD)), 'FarmAccountsMissing'],
    ],
  },
  {
    name: 'wants reserve and obligation fresh in the newer forms, too',
    isAboutNeighbours: true,
    steps: [
      ...known('ann'),
      [send(depositNewer('ann', 'usd', USD)), 'ReserveStale'],
      [send(refresh('usd'), depositNewer('ann', 'usd', USD)), 'ObligationStale'],
      ...fine(send(refresh('usd'), refreshObligation('ann'), refresh('sol'), depositNewer('ann', 'usd', USD))),
      [send(refresh('usd'), withdrawNewer('ann', 'usd', USD)), 'ObligationStale'],
    ],
  },
  {
    name: 'counts seconds where the basis says so, once one was noted, and stops at a basis it has not heard of',
    steps: [
      ...fine(
        setReserve('usd', { config: { interestRateBasis: 1 } }),
        send(refresh('usd')),
        time(7n),
        send(refresh('usd')),
      ),
      ...fine(setReserve('usd', { config: { interestRateBasis: 2 } })),
      [send(refresh('usd')), STOPPED],
    ],
  },
];

export const KAMINO_SCENARIOS: readonly Scenario[] = [
  ...REFRESHES,
  ...RECEIPTS,
  ...OBLIGATIONS,
  ...TODAY.map((scenario) => ({ ...scenario, isToday: true })),
];

import { type Address, address } from '@solana/kit';
import type { DemoFeedName } from '../feeds.ts';
import type { DemoTokenName } from '../tokens.ts';
import type { DemoReserve } from './demo-reserve.ts';

/** A market of Kamino on this chain. */
export interface KaminoMarketRow {
  readonly address: Address;
  readonly name: string;
  /** Most a year that its reserves may add as rewards of their own, in basis points. */
  readonly rewardsMaxAprBps: number;
  readonly globalAllowedBorrowUsd: bigint;
}

/** A reserve's vaults and its cToken mint. */
export interface KaminoPoolAddresses {
  readonly supplyVault: Address;
  readonly feeVault: Address;
  readonly cTokenMint: Address;
  readonly cTokenVault: Address;
}

/** One reserve as its table row states it. Amounts are base units. */
export interface KaminoReserveRow {
  readonly token: DemoTokenName;
  readonly feed: DemoFeedName;
  readonly address: Address;
  readonly market: Address;
  /** Null where the program's older derivation from market and mint says where they are. */
  readonly pool: KaminoPoolAddresses | null;
  readonly available: bigint;
  readonly borrowedSf: bigint;
  readonly protocolFeesSf: bigint;
  readonly cumulativeBorrowRateSf: bigint;
  /** cTokens in existence. */
  readonly receipts: bigint;
  readonly depositLimit: bigint;
  readonly borrowLimit: bigint;
  readonly takeRatePct: number;
  readonly loanToValuePct: number;
  readonly liquidationThresholdPct: number;
  readonly borrowFactorPct: bigint;
  /** Net outflow a day that deposits and debts may have. */
  readonly dailyCaps: { readonly deposits: bigint; readonly debts: bigint };
  readonly utilizationLimitPct?: number;
  readonly maxPriceAgeSeconds: bigint;
  /** Price in cents that the asset is believed at, if any. */
  readonly heuristicCents?: readonly [lower: bigint, upper: bigint];
  readonly curve: readonly (readonly [utilizationBps: number, rateBps: number])[];
  readonly rewards?: { readonly perSlot: bigint; readonly available: bigint };
  readonly farm?: Address;
}

const MAIN = address('7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF');
const JITO = address('H6rHXmXoCQvq8Ue81MqNh7ow5ysPa1dSozwW3PU1dDH6');
const MAPLE = address('6WEGfej9B9wjxRs6t4BYpb9iCXd8CpTpJ8fVSNzHCC5y');

const SOL = 10n ** 9n;
const MILLION_USD = 10n ** 12n;
/** Base units as klend scales them, by 2^60. */
const sf = (base: bigint) => base << 60n;

/** Mainnet's markets by address, name and debt ceiling (Maple's ceiling is ours). That reserves may pay rewards of their own is ours, too. */
export const KAMINO_MARKET_ROWS: readonly KaminoMarketRow[] = [
  { address: MAIN, name: 'Main Market', rewardsMaxAprBps: 300, globalAllowedBorrowUsd: 300_000_000n },
  { address: JITO, name: 'Jito Market', rewardsMaxAprBps: 0, globalAllowedBorrowUsd: 200_000_000n },
  { address: MAPLE, name: 'Maple Market', rewardsMaxAprBps: 0, globalAllowedBorrowUsd: 200_000_000n },
];

/** What the farm of the Maple market's USDC reserve pays with; a reserve that P0 reaches has none here, because farms are not modelled. */
export const KAMINO_FARM = address('6Y9fzrWzGZaxdAJ2eWRg9UZpL3kqPDiVXAb67KJpWdUg');

/**
 * Reserves of Kamino at mainnet addresses; P0 reaches all but the last. USDC's (main and Maple) and SOL's totals and terms are those of
 * mainnet on 2025-11-03, 2025-10-14, 2025-08-12 (main) and 2025-02-07 (Jito); USDT's and PYUSD's are ours, as are PYUSD's rewards. What
 * they are priced by is ours for all: Kamino's own reserves read Scope, which this chain has not.
 */
export const KAMINO_RESERVE_ROWS: readonly KaminoReserveRow[] = [
  {
    token: 'USDC',
    feed: 'USDC',
    address: address('D6q6wuQSrifJKZYpR1M8R4YawnLDtDsMmWM1NbBmgJ59'),
    market: MAIN,
    pool: {
      supplyVault: address('Bgq7trRgVMeq33yt235zM2onQ4bRDBsY5EWiTetF4qw6'),
      feeVault: address('BbDUrk1bVtSixgQsPLBJFZEF7mwGstnD5joA1WzYvYFX'),
      cTokenMint: address('B8V6WVjPxW1UGwVDfxH2d2r8SyT4cqn7dQRK6XneVa7D'),
      cTokenVault: address('3DzjXRfxRm6iejfyyMynR4tScddaanrePJ1NJU2XnPPL'),
    },
    available: 129_639_221_256_987n,
    borrowedSf: 528_226_314_842_391_338_395_768_829_705_943n,
    protocolFeesSf: 336_456_479_477_979_253_467_185_780_074n,
    cumulativeBorrowRateSf: 1_426_681_065_177_903_776n,
    receipts: 505_501_704_354_504n,
    depositLimit: 1_000n * MILLION_USD,
    borrowLimit: 700n * MILLION_USD,
    takeRatePct: 10,
    loanToValuePct: 80,
    liquidationThresholdPct: 90,
    borrowFactorPct: 100n,
    dailyCaps: { deposits: 200n * MILLION_USD, debts: 200n * MILLION_USD },
    maxPriceAgeSeconds: 180n,
    heuristicCents: [90n, 105n],
    curve: [
      [0, 0],
      [9_500, 475],
      [10_000, 3_000],
    ],
  },
  {
    token: 'SOL',
    feed: 'SOL',
    address: address('d4A2prbA2whesmvHaL88BH6Ewn5N4bTSU2Ze8P6Bc4Q'),
    market: MAIN,
    pool: {
      supplyVault: address('GafNuUXj9rxGLn4y79dPu6MHSuPWeJR6UtTWuexpGh3U'),
      feeVault: address('3JNof8s453bwG5UqiXBLJc77NRQXezYYEBbk3fqnoKph'),
      cTokenMint: address('2UywZrUdyqs5vDchy7fKQJKau2RVyuzBev2XKGPDSiX1'),
      cTokenVault: address('8NXMyRD91p3nof61BTkJvrfpGTASHygz1cUvc3HvwyGS'),
    },
    available: 576_438_315_861_112n,
    borrowedSf: 5_235_401_463_459_533_234_106_624_313_776_750n,
    protocolFeesSf: 11_918_939_084_660_235_266_979_009_752_828n,
    cumulativeBorrowRateSf: 1_303_465_569_602_352_594n,
    receipts: 4_684_732_222_348_610n,
    depositLimit: 10_000_000n * SOL,
    borrowLimit: 9_000_000n * SOL,
    takeRatePct: 15,
    loanToValuePct: 74,
    liquidationThresholdPct: 75,
    borrowFactorPct: 125n,
    dailyCaps: { deposits: 1_500_000n * SOL, debts: 1_500_000n * SOL },
    maxPriceAgeSeconds: 120n,
    curve: [
      [0, 1],
      [7_000, 400],
      [9_100, 600],
      [9_300, 1_000],
      [9_500, 1_500],
      [9_700, 2_000],
      [10_000, 3_000],
    ],
  },
  {
    token: 'USDT',
    feed: 'USDT',
    address: address('H3t6qZ1JkguCNTi9uzVKqQ7dvt2cum4XiXWom6Gn5e5S'),
    market: MAIN,
    pool: null,
    available: 31_500_000_000_000n,
    borrowedSf: sf(118_500_000_000_000n),
    protocolFeesSf: sf(60_000_000_000n),
    cumulativeBorrowRateSf: (sf(1n) * 118n) / 100n,
    receipts: 131_000_000_000_000n,
    depositLimit: 250n * MILLION_USD,
    borrowLimit: 200n * MILLION_USD,
    takeRatePct: 15,
    loanToValuePct: 80,
    liquidationThresholdPct: 90,
    borrowFactorPct: 100n,
    dailyCaps: { deposits: 50n * MILLION_USD, debts: 50n * MILLION_USD },
    maxPriceAgeSeconds: 180n,
    heuristicCents: [90n, 105n],
    curve: [
      [0, 0],
      [9_000, 480],
      [10_000, 3_000],
    ],
  },
  {
    token: 'PYUSD',
    feed: 'PYUSD',
    address: address('2gc9Dm1eB6UgVYFBUN9bWks6Kes9PbWSaPaa9DqyvEiN'),
    market: MAIN,
    pool: null,
    available: 42_000_000_000_000n,
    borrowedSf: sf(68_000_000_000_000n),
    protocolFeesSf: sf(25_000_000_000n),
    cumulativeBorrowRateSf: (sf(1n) * 109n) / 100n,
    receipts: 102_500_000_000_000n,
    depositLimit: 200n * MILLION_USD,
    borrowLimit: 150n * MILLION_USD,
    takeRatePct: 15,
    loanToValuePct: 80,
    liquidationThresholdPct: 90,
    borrowFactorPct: 100n,
    dailyCaps: { deposits: 40n * MILLION_USD, debts: 40n * MILLION_USD },
    maxPriceAgeSeconds: 180n,
    heuristicCents: [90n, 105n],
    curve: [
      [0, 0],
      [9_000, 520],
      [10_000, 3_500],
    ],
    rewards: { perSlot: 26_000n, available: 500_000_000_000n },
  },
  {
    token: 'SOL',
    feed: 'SOL',
    address: address('6gTJfuPHEg6uRAijRkMqNc9kan4sVZejKMxmvx2grT1p'),
    market: JITO,
    pool: {
      supplyVault: address('ywaaLvG7t1vXJo8sT3UzE8yzzZtxLM7Fmev64Jbooye'),
      feeVault: address('EQ7hw63aBS7aPQqXsoxaaBxiwbEzaAiY9Js6tCekkqxf'),
      cTokenMint: address('DxzDt5kPdFkMy9AANiZh4zuoitobqsn1G6bdoNyjePC2'),
      cTokenVault: address('8qnXfbaLbY6Y4xiCP6SZ3RK8ccjVa8DhALzDGifBPeNx'),
    },
    available: 80_065_911_476_395n,
    borrowedSf: 817_099_660_585_113_075_499_642_877_414_675n,
    protocolFeesSf: 195_816_729_256_587_100_061_989_073_236n,
    cumulativeBorrowRateSf: 1_178_632_944_406_274_618n,
    receipts: 774_726_727_115_925n,
    depositLimit: 3_000_000n * SOL,
    borrowLimit: 2_700_000n * SOL,
    takeRatePct: 10,
    loanToValuePct: 0,
    liquidationThresholdPct: 0,
    borrowFactorPct: 100n,
    dailyCaps: { deposits: 1_000_000n * SOL, debts: 900_000n * SOL },
    utilizationLimitPct: 90,
    maxPriceAgeSeconds: 120n,
    curve: [
      [0, 8],
      [7_000, 398],
      [7_500, 529],
      [9_000, 552],
      [9_300, 778],
      [9_500, 1_000],
      [9_700, 2_500],
      [10_000, 5_000],
    ],
  },
  {
    token: 'USDC',
    feed: 'USDC',
    address: address('Atj6UREVWa7WxbF2EMKNyfmYUY1U1txughe2gjhcPDCo'),
    market: MAPLE,
    pool: {
      supplyVault: address('BBcwMNSMyhhBnYE9pevEvkxKHGzTafMP9v3j7Kk7nAWM'),
      feeVault: address('HH7GLnRcGHJrdkEueVVj7mccNUjnSeWobDmtu9cHLkJV'),
      cTokenMint: address('6M89FWrQaqcy3domy85J1a1wVMnviL86WeUqbqTXf1qb'),
      cTokenVault: address('25x4aEFoJE3bk4sdNLgHrrmchyop1JvcmGA4ccA6tWWT'),
    },
    available: 5_120_844_393_789n,
    borrowedSf: 52_436_716_243_302_220_589_105_155_345_103n,
    protocolFeesSf: 20_563_109_449_032_752_997_835_458_153n,
    cumulativeBorrowRateSf: 1_177_359_387_260_089_444n,
    receipts: 49_733_354_579_601n,
    depositLimit: 120n * MILLION_USD,
    borrowLimit: 100n * MILLION_USD,
    takeRatePct: 10,
    loanToValuePct: 0,
    liquidationThresholdPct: 0,
    borrowFactorPct: 100n,
    dailyCaps: { deposits: 40n * MILLION_USD, debts: 40n * MILLION_USD },
    maxPriceAgeSeconds: 300n,
    heuristicCents: [90n, 105n],
    curve: [
      [0, 0],
      [8_500, 300],
      [9_000, 430],
      [9_500, 800],
      [10_000, 1_085],
    ],
    farm: KAMINO_FARM,
  },
];

/** The live reserves of Kamino on this chain. */
export const KAMINO_RESERVES: readonly DemoReserve[] = KAMINO_RESERVE_ROWS.map(({ address: reserve, token }) => ({
  venue: 'kamino',
  address: reserve,
  token,
}));

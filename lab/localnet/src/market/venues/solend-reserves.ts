import { SOLEND_NULL_ORACLE } from '@lending/programs';
import { type Address, address } from '@solana/kit';
import { DEMO_FEEDS, type DemoFeedName } from '../feeds.ts';
import type { DemoTokenName } from '../tokens.ts';
import type { DemoReserve } from './demo-reserve.ts';

/** One reserve of Save's main pool as its table row states it. Amounts are base units, rates and ratios percent. */
export interface SolendReserveRow {
  readonly token: DemoTokenName;
  readonly feed: DemoFeedName;
  readonly address: Address;
  readonly liquiditySupply: Address;
  readonly feeReceiver: Address;
  readonly collateralMint: Address;
  readonly collateralSupply: Address;
  readonly pythOracle: Address;
  readonly switchboardOracle: Address;
  readonly available: bigint;
  readonly borrowedWads: bigint;
  readonly cumulativeBorrowRateWads: bigint;
  readonly protocolFeesWads: bigint;
  /** cTokens in existence. */
  readonly receipts: bigint;
  readonly depositLimit: bigint;
  readonly borrowLimit: bigint;
  readonly optimalUtilization: number;
  readonly maxUtilization: number;
  /** At no, the optimal, the greatest and full use. */
  readonly rates: readonly [least: number, optimal: number, most: number, beyond: bigint];
  readonly loanToValue: number;
  readonly liquidationThreshold: number;
  readonly maxLiquidationThreshold: number;
  readonly liquidationBonus: number;
  readonly maxLiquidationBonus: number;
  /** How much may leave in how many slots; none limits nothing. */
  readonly outflow?: { readonly windowSlots: bigint; readonly most: bigint };
}

const WAD = 10n ** 18n;
const SOL = 10n ** 9n;
const MILLION_USD = 10n ** 12n;

/**
 * Reserves of Save's main pool at mainnet addresses. P0 reaches the first one only. USDC's totals and terms are those of mainnet on
 * 2026-10-06; the others' are ours, in its shape. SOL is priced by Switchboard here, as everywhere on this chain.
 */
export const SOLEND_RESERVE_ROWS: readonly SolendReserveRow[] = [
  {
    token: 'USDC',
    feed: 'USDC',
    address: address('BgxfHJDzm44T7XG68MYKx7YisTjZu73tVovyZSjJMpmw'),
    liquiditySupply: address('8SheGtsopRUDzdiD6v6BR9a6bqZ9QwywYQY99Fp5meNf'),
    feeReceiver: address('5Gdxn4yquneifE6uk9tK8X4CqHfWKjW2BvYU25hAykwP'),
    collateralMint: address('993dVFL2uXWYeoXuEBFXR4BijeXdTv4s6BzsCjJZuwqk'),
    collateralSupply: address('UtRy8gcEu9fCkDuUrU8EmC7Uc6FZy5NCwttzG7i6nkw'),
    pythOracle: DEMO_FEEDS.USDC.account,
    switchboardOracle: SOLEND_NULL_ORACLE,
    available: 5_337_852_800_102n,
    borrowedWads: 17_175_893_161_672_370_158_452_809_679_932n,
    cumulativeBorrowRateWads: 1_523_366_352_038_945_487n,
    protocolFeesWads: 424_426_923_840_600_616n,
    receipts: 17_191_048_342_392n,
    depositLimit: 75n * MILLION_USD,
    borrowLimit: 60n * MILLION_USD,
    optimalUtilization: 92,
    maxUtilization: 95,
    rates: [1, 3, 7, 150n],
    loanToValue: 70,
    liquidationThreshold: 77,
    maxLiquidationThreshold: 79,
    liquidationBonus: 3,
    maxLiquidationBonus: 5,
  },
  {
    token: 'SOL',
    feed: 'SOL',
    address: address('8PbodeaosQP19SjYFx855UMqWxH2HynZLdBXmsrbac36'),
    liquiditySupply: address('8UviNr47S8eL6J3WfDxMRa3hvLta1VDJwNWqsDgtN3Cv'),
    feeReceiver: address('5wo1tFpi4HaVKnemqaXeQnBEpezrJXcXvuztYaPhvgC7'),
    collateralMint: address('5h6ssFpeDeRbzsEHDbTQNH7nVGgsKrZydxdSTnLm6QdV'),
    collateralSupply: address('B1ATuYXNkacjjJS78MAmqu8Lu8PvEPt51u4oBasH1m1g'),
    pythOracle: SOLEND_NULL_ORACLE,
    switchboardOracle: DEMO_FEEDS.SOL.account,
    available: 92_000n * SOL,
    borrowedWads: 208_000n * SOL * WAD,
    cumulativeBorrowRateWads: 1_310_000_000_000_000_000n,
    protocolFeesWads: 120n * SOL * WAD,
    receipts: 268_000n * SOL,
    depositLimit: 900_000n * SOL,
    borrowLimit: 700_000n * SOL,
    optimalUtilization: 80,
    maxUtilization: 90,
    rates: [0, 6, 20, 150n],
    loanToValue: 75,
    liquidationThreshold: 80,
    maxLiquidationThreshold: 82,
    liquidationBonus: 4,
    maxLiquidationBonus: 6,
    outflow: { windowSlots: 9_000n, most: 60_000n * SOL },
  },
  {
    token: 'USDT',
    feed: 'USDT',
    address: address('8K9WC8xoh2rtQNY7iEGXtPvfbDCi563SdWhCAhuMP2xE'),
    liquiditySupply: address('3CdpSW5dxM7RTxBgxeyt8nnnjqoDbZe48tsBs9QUrmuN'),
    feeReceiver: address('Cpyk5WRGmdK2yFGTJCrmgyABPiNEF5eCyCMMZLxpdkXu'),
    collateralMint: address('BTsbZDV7aCMRJ3VNy9ygV4Q2UeEo9GpR8D6VvmMZzNr8'),
    collateralSupply: address('CXDxj6cepVv9nWh4QYqWS2MpeoVKBLKJkMfo3c6Y1Lud'),
    pythOracle: DEMO_FEEDS.USDT.account,
    switchboardOracle: SOLEND_NULL_ORACLE,
    available: 1_150_000_000_000n,
    borrowedWads: 5_350_000_000_000n * WAD,
    cumulativeBorrowRateWads: 1_402_000_000_000_000_000n,
    protocolFeesWads: 2_400_000_000n * WAD,
    receipts: 5_410_000_000_000n,
    depositLimit: 20n * MILLION_USD,
    borrowLimit: 15n * MILLION_USD,
    optimalUtilization: 85,
    maxUtilization: 93,
    rates: [1, 5, 12, 150n],
    loanToValue: 68,
    liquidationThreshold: 75,
    maxLiquidationThreshold: 77,
    liquidationBonus: 3,
    maxLiquidationBonus: 5,
  },
];

/** The live reserves of Save on this chain. */
export const SOLEND_RESERVES: readonly DemoReserve[] = SOLEND_RESERVE_ROWS.map(({ address: reserve, token }) => ({
  venue: 'solend',
  address: reserve,
  token,
}));

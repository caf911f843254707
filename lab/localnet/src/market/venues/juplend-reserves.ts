import { type Address, address } from '@solana/kit';
import type { DemoTokenName } from '../tokens.ts';
import type { DemoReserve } from './demo-reserve.ts';

/** One Earn pool of the demo market, and the mint behind it in the liquidity layer. */
export interface JuplendReserveRow {
  readonly token: DemoTokenName;
  /** The lending account: derived from the mint, as on mainnet. */
  readonly address: Address;
  readonly lendingId: number;
  /** Raw units that all protocols together supplied, with interest. */
  readonly supplyRaw: bigint;
  /** Parts of 10,000: what is borrowed of it, what of it is Earn's, what borrowers' interest loses to fees, the most that may be lent. */
  readonly utilization: bigint;
  readonly earnPart: bigint;
  readonly feeOnInterest: number;
  readonly maxUtilization: number;
  /** Scaled by 10^12. */
  readonly supplyPrice: bigint;
  readonly borrowPrice: bigint;
  readonly tokenPrice: bigint;
  /** Two kinks; 10,000 is one. */
  readonly curve: {
    readonly rateAtZero: number;
    readonly kink1Utilization: number;
    readonly rateAtKink1: number;
    readonly kink2Utilization: number;
    readonly rateAtKink2: number;
    readonly rateAtMax: number;
  };
  /** Base units a year, paid into the price of the fToken on top of interest; zero for none. */
  readonly yearlyReward: bigint;
}

/**
 * Pools behind the demo's JupLend banks. USDC has mainnet's prices, fee, utilisation and borrow rate as they were published, a tenth
 * of its size, and a curve of ours that goes through that rate. The others are ours. Utilisations stand between the kinks, where a
 * deposit of a thousandth moves the rate by basis points.
 */
export const JUPLEND_RESERVE_ROWS: readonly JuplendReserveRow[] = [
  {
    ...{ token: 'USDC', lendingId: 1, address: address('2vVYHYM8VYnvZqQWpTJSj8o8DBf1wM8pVs3bsTgYZiqJ') },
    ...{ supplyRaw: 40_138_717_495_727n, earnPart: 8_800n },
    ...{ utilization: 8_357n, feeOnInterest: 1_000, maxUtilization: 10_000 },
    ...{ supplyPrice: 1_029_996_710_353n, borrowPrice: 1_041_250_000_000n, tokenPrice: 1_045_000_000_000n },
    curve: {
      ...{ rateAtZero: 0, kink1Utilization: 8_000, rateAtKink1: 350 },
      ...{ kink2Utilization: 9_300, rateAtKink2: 686, rateAtMax: 10_000 },
    },
    yearlyReward: 0n,
  },
  {
    ...{ token: 'USDT', lendingId: 2, address: address('F7tLdeF2YZZex9MR8HgGggyFiz7UU2UgUube2tmfwNPE') },
    ...{ supplyRaw: 12_400_000_000_000n, earnPart: 9_200n },
    ...{ utilization: 8_120n, feeOnInterest: 1_000, maxUtilization: 10_000 },
    ...{ supplyPrice: 1_021_440_000_000n, borrowPrice: 1_030_020_000_000n, tokenPrice: 1_031_900_000_000n },
    curve: {
      ...{ rateAtZero: 0, kink1Utilization: 7_800, rateAtKink1: 380 },
      ...{ kink2Utilization: 9_200, rateAtKink2: 900, rateAtMax: 9_000 },
    },
    yearlyReward: 118_000_000_000n,
  },
  {
    ...{ token: 'SOL', lendingId: 3, address: address('BeAqbxfrcXmzEYT2Ra62oW2MqkuFDHaCtps47Mzg6Zj3') },
    ...{ supplyRaw: 88_000_000_000_000n, earnPart: 4_500n },
    ...{ utilization: 7_650n, feeOnInterest: 1_500, maxUtilization: 9_500 },
    ...{ supplyPrice: 1_017_300_000_000n, borrowPrice: 1_027_800_000_000n, tokenPrice: 1_019_900_000_000n },
    curve: {
      ...{ rateAtZero: 0, kink1Utilization: 7_500, rateAtKink1: 520 },
      ...{ kink2Utilization: 8_800, rateAtKink2: 1_150, rateAtMax: 12_000 },
    },
    yearlyReward: 0n,
  },
];

/** The live reserves of JupLend on this chain. */
export const JUPLEND_RESERVES: readonly DemoReserve[] = JUPLEND_RESERVE_ROWS.map(({ address: reserve, token }) => ({
  venue: 'juplend',
  address: reserve,
  token,
}));

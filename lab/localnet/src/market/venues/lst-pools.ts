import { SANCTUM_MULTI_STAKE_POOL_PROGRAM, STAKE_POOL_PROGRAM } from '@lending/programs';
import { type Address, address } from '@solana/kit';
import type { DemoTokenName } from '../tokens.ts';

/** One stake pool of the demo market at its mainnet address. Its figures are ours, near the demo's prices in SOL. */
export interface LstPoolRow {
  readonly token: DemoTokenName;
  readonly address: Address;
  readonly program: Address;
  /** SOL for one token, millionths. */
  readonly ratePpm: bigint;
  /** What an epoch's rewards add, billionths. */
  readonly rewardPpb: bigint;
}

export const LST_POOLS: readonly LstPoolRow[] = [
  {
    token: 'JitoSOL',
    address: address('Jito4APyf642JPZPx3hGc6WWJ8zPKtRbRs4P815Awbb'),
    program: STAKE_POOL_PROGRAM,
    ratePpm: 1_253_300n,
    rewardPpb: 315_000n,
  },
  {
    token: 'JupSOL',
    address: address('8VpRhuxa7sUUepdY3kQiTmX9rS5vx4WgaXiAnXq4KCtr'),
    program: SANCTUM_MULTI_STAKE_POOL_PROGRAM,
    ratePpm: 1_169_700n,
    rewardPpb: 331_000n,
  },
];

/** The same of Marinade, which issues mSOL. */
export const MARINADE_ROW = { ratePpm: 1_359_700n, rewardPpb: 303_000n } as const;

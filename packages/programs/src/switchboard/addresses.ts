import { type Address, address } from '@solana/kit';

/** Switchboard On-Demand on mainnet: owner of pull feeds. */
export const SWITCHBOARD_ON_DEMAND_PROGRAM: Address = address('SBondMDrcV3K4kxZR1HNVT7osZxAHVHgYXL5Ze1oMUv');

import { type Address, address } from '@solana/kit';

/** The native stake program. */
export const STAKE_PROGRAM: Address = address('Stake11111111111111111111111111111111111111');

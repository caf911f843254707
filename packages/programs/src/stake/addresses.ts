import { type Address, address } from '@solana/kit';

/** The native stake program. */
export const STAKE_PROGRAM: Address = address('Stake11111111111111111111111111111111111111');

/** Pools of one validator each, whose tokens staked banks hold. */
export const SINGLE_POOL_PROGRAM: Address = address('SVSPxpvHdN29nkVg9rPapPNDddN5DipNLRUFhyjFThE');

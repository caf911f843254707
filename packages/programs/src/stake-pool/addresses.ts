import { type Address, address } from '@solana/kit';

/** The program of Solana Labs, in which JitoSOL, bSOL and others have their pools. */
export const STAKE_POOL_PROGRAM: Address = address('SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy');
/** Sanctum's copy of it, for pools of one validator. */
export const SANCTUM_STAKE_POOL_PROGRAM: Address = address('SP12tWFxD9oJsVWNavTTBZvMbA6gkAmxtVgxdqvyvhY');
/** Sanctum's copy of it, for pools of many validators. */
export const SANCTUM_MULTI_STAKE_POOL_PROGRAM: Address = address('SPMBzsVUuoHA4Jm6KunbsotaahvVikZs1JyTW6iJvbn');

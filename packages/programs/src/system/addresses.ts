import { type Address, address } from '@solana/kit';

/** Owner of wallets. */
export const SYSTEM_PROGRAM: Address = address('11111111111111111111111111111111');
export const COMPUTE_BUDGET_PROGRAM: Address = address('ComputeBudget111111111111111111111111111111');

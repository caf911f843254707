import { type Address, address } from '@solana/kit';

/** Kamino Lend on mainnet. */
export const KLEND_PROGRAM: Address = address('KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD');

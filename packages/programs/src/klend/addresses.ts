import { type Address, address } from '@solana/kit';

/** Kamino Lend on mainnet. */
export const KLEND_PROGRAM: Address = address('KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD');

/** Where Kamino's reserves and obligations earn rewards. */
export const KAMINO_FARMS_PROGRAM: Address = address('FarmsPZpWu9i7Kky8tPN37rs2TpmMrAZrC7S7vJa91Hr');

import { type Address, address } from '@solana/kit';

/** What programs store in place of a key that is not set: 32 zeros. The System program happens to have the same address. */
export const NO_KEY: Address = address('11111111111111111111111111111111');

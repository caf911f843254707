import { type Address, address } from '@solana/kit';

/** Kamino's aggregator of prices. */
export const SCOPE_PROGRAM: Address = address('HFn8GnPADiny6XqUoWE8uRPPxb29ikn4yTuPa9MF2fWJ');

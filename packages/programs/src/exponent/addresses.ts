import { type Address, address } from '@solana/kit';

/** Exponent, which splits yield-bearing tokens into principal (PT) and yield (YT). */
export const EXPONENT_PROGRAM: Address = address('ExponentnaRg3CQbW6dqQNZKXp7gtZ9DGMp1cwC4HAS7');

import { type Address, address } from '@solana/kit';

/** Jupiter's aggregator, version 6. */
export const JUPITER_PROGRAM: Address = address('JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4');
/** Titan's aggregator. */
export const TITAN_PROGRAM: Address = address('T1TANpTeScyeqVzzgNViGDNrkQ6qHz9KrSBS4aNXvGT');

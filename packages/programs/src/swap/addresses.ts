import { type Address, address } from '@solana/kit';

/** Jupiter's aggregator, version 6. */
export const JUPITER_PROGRAM: Address = address('JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4');
/** DFlow's aggregator, `swap_orchestrator`. */
export const DFLOW_PROGRAM: Address = address('DF1ow4tspfHX9JwWJsAb9epbkA8hmpSEAtxXy1V27QBH');
/** Titan's aggregator. */
export const TITAN_PROGRAM: Address = address('T1TANpTeScyeqVzzgNViGDNrkQ6qHz9KrSBS4aNXvGT');

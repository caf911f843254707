import { address } from '@solana/kit';

/** Token-2022 has a wrapped SOL of its own, apart from the token program's. */
export const NATIVE_MINT_2022 = address('9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXejP');

import { type Address, address } from '@solana/kit';

/** Token and Token-2022. */
export const TOKEN_PROGRAMS: readonly Address[] = [
  address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'),
  address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'),
];

/** Where a token account of either program names its owner, in bytes. */
export const TOKEN_OWNER_OFFSET = 32;

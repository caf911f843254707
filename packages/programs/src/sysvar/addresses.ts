import { type Address, address } from '@solana/kit';

/** Owner of all sysvars. */
export const SYSVAR_PROGRAM: Address = address('Sysvar1111111111111111111111111111111111111');
export const CLOCK_SYSVAR: Address = address('SysvarC1ock11111111111111111111111111111111');
export const RENT_SYSVAR: Address = address('SysvarRent111111111111111111111111111111111');
/** Through it a program reads the other instructions of its transaction. */
export const INSTRUCTIONS_SYSVAR: Address = address('Sysvar1nstructions1111111111111111111111111');
/** The hashes of the last 512 slots. */
export const SLOT_HASHES_SYSVAR: Address = address('SysvarS1otHashes111111111111111111111111111');

import { type Address, address, type ProgramDerivedAddress } from '@solana/kit';
import { findDerivedAddress } from '#derived-address.ts';
import { getAddressBytes } from '#fixed-offset/address-codec.ts';

export const TOKEN_PROGRAM: Address = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
export const TOKEN_2022_PROGRAM: Address = address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');
export const ASSOCIATED_TOKEN_PROGRAM: Address = address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');
/** The mint that SOL goes by inside token accounts. */
export const WRAPPED_SOL_MINT: Address = address('So11111111111111111111111111111111111111112');

/** Where a wallet keeps a token: its associated account. The same mint has another one under another token program. */
export function findAssociatedTokenAccount(
  owner: Address,
  mint: Address,
  tokenProgram: Address = TOKEN_PROGRAM,
): Promise<ProgramDerivedAddress> {
  const seeds = [owner, tokenProgram, mint].map((key) => getAddressBytes(key));
  return findDerivedAddress({ programAddress: ASSOCIATED_TOKEN_PROGRAM, seeds });
}

import { findMintExtension, TOKEN_2022_PROGRAM, tokenAccountLayout } from '@lending/programs';
import type { Address } from '@solana/kit';

/** An extended account has a byte that says what it is, and before each extension its type and length. */
const KIND_SIZE = 1;
const HEADER_SIZE = 4;
/**
 * What an extension of a mint makes its accounts carry, bytes by the mint's extension: a fee's withheld amount, then what cannot be
 * transferred, is hooked or can be paused.
 * @see solana-program/token-2022 interface/src/extension/mod.rs `get_required_init_account_extensions`
 */
const CARRIED: ReadonlyMap<number, number> = new Map([
  [1, 8],
  [9, 0],
  [14, 1],
  [26, 0],
]);

/** Bytes of an associated token account of a mint; those of Token-2022 say that their owner cannot change. */
export function tokenAccountSize(tokenProgram: Address, mint: Uint8Array): number {
  if (tokenProgram !== TOKEN_2022_PROGRAM) return tokenAccountLayout.fixedSize;
  const carried = [...CARRIED].filter(([type]) => findMintExtension(mint, type) !== null);
  return carried.reduce(
    (size, [, bytes]) => size + HEADER_SIZE + bytes,
    tokenAccountLayout.fixedSize + KIND_SIZE + HEADER_SIZE,
  );
}

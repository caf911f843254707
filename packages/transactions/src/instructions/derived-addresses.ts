import { findAssociatedTokenAccount, findBankVaultAuthority, MARGINFI_PROGRAM } from '@lending/programs';
import type { Address, ProgramDerivedAddress } from '@solana/kit';

/** The address alone, without its bump. */
export async function addressOf(found: Promise<ProgramDerivedAddress>): Promise<Address> {
  return (await found)[0];
}

/** Owns a bank's vault, and at a venue whatever the bank has there. */
export function vaultAuthorityOf(bank: Address, program: Address = MARGINFI_PROGRAM): Promise<Address> {
  return addressOf(findBankVaultAuthority('liquidity', bank, program));
}

/** Whose tokens of which mint. */
export interface TokenHolding {
  readonly owner: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
}

/** The associated account of an owner that is a bank's or a venue's. */
export function associatedAccountOf({ owner, mint, tokenProgram }: TokenHolding): Promise<Address> {
  return addressOf(findAssociatedTokenAccount(owner, mint, tokenProgram));
}

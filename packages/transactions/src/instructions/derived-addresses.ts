import { findAssociatedTokenAccount, findBankVaultAuthority, MARGINFI_PROGRAM } from '@lending/programs';
import type { Address, ProgramDerivedAddress } from '@solana/kit';

/** Addresses of banks and venues never change, and there are as many as there are banks: each is derived once in the process. */
const kept = new Map<string, Promise<Address>>();

/** @param name says all that the address depends on: `find` runs once for it. */
export function keepAddress(name: string, find: () => Promise<ProgramDerivedAddress>): Promise<Address> {
  const known = kept.get(name);
  if (known !== undefined) return known;
  const found = find().then(([address]) => address);
  kept.set(name, found);
  return found;
}

/** Owns a bank's vault, and at a venue whatever the bank has there. */
export function vaultAuthorityOf(bank: Address, program: Address = MARGINFI_PROGRAM): Promise<Address> {
  return keepAddress(`${program} ${bank} vault authority`, () => findBankVaultAuthority('liquidity', bank, program));
}

/** Whose tokens of which mint. */
export interface TokenHolding {
  readonly owner: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
}

/** The associated account of an owner that is a bank's or a venue's. */
export function associatedAccountOf({ owner, mint, tokenProgram }: TokenHolding): Promise<Address> {
  const find = () => findAssociatedTokenAccount(owner, mint, tokenProgram);
  return keepAddress(`${owner} ${mint} ${tokenProgram} associated`, find);
}

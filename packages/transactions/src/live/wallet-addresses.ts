import { findAssociatedTokenAccount, findMarginfiAccount, type LendingAccountSeeds } from '@lending/programs';
import type { Address, ProgramDerivedAddress } from '@solana/kit';
import { BoundedCache } from '#bounded-cache.ts';

/** Deriving an address takes up to a millisecond, a build asks for five of a wallet, and wallets come back. A hundred bytes each. */
const MAX_KEPT = 20_000;
const kept = new BoundedCache<Promise<Address>>(MAX_KEPT);

/** Where a wallet's lending account of an index is, or would be. */
export function lendingAccountOf(seeds: LendingAccountSeeds, program: Address): Promise<Address> {
  const { group, authority, index, thirdPartyId = 0 } = seeds;
  return keep(`${program} ${group} ${authority} ${index} ${thirdPartyId}`, () => findMarginfiAccount(seeds, program));
}

/** Where a wallet's tokens of a mint are, or would be. */
export function walletTokensOf(authority: Address, mint: Address, tokenProgram: Address): Promise<Address> {
  return keep(`${authority} ${mint} ${tokenProgram}`, () => findAssociatedTokenAccount(authority, mint, tokenProgram));
}

function keep(name: string, find: () => Promise<ProgramDerivedAddress>): Promise<Address> {
  const known = kept.get(name);
  if (known !== undefined) return known;
  const found = find().then(([address]) => address);
  kept.set(name, found);
  return found;
}

import { type Address, address, type ProgramDerivedAddress } from '@solana/kit';
import { findDerivedAddress } from '#derived-address.ts';
import { getAddressBytes } from '#fixed-offset/address-codec.ts';

/** Kamino Lend on mainnet. */
export const KLEND_PROGRAM: Address = address('KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD');

/** Where Kamino's reserves and obligations earn rewards. */
export const KAMINO_FARMS_PROGRAM: Address = address('FarmsPZpWu9i7Kky8tPN37rs2TpmMrAZrC7S7vJa91Hr');

/** The PDA that owns the vaults and cToken mints of a market's reserves. */
export function findKlendMarketAuthority(market: Address): Promise<ProgramDerivedAddress> {
  return findDerivedAddress({ programAddress: KLEND_PROGRAM, seeds: ['lma', getAddressBytes(market)] });
}

/** What klend keeps of an owner. */
export function findKlendUserMetadata(owner: Address): Promise<ProgramDerivedAddress> {
  return findDerivedAddress({ programAddress: KLEND_PROGRAM, seeds: ['user_meta', getAddressBytes(owner)] });
}

/** What makes an obligation's address. */
export interface KlendObligationSeeds {
  /** 0 is an ordinary obligation. */
  readonly tag: number;
  readonly id: number;
  readonly owner: Address;
  readonly market: Address;
  /** The system program's address where the tag is 0, else mints. */
  readonly seed1: Address;
  readonly seed2: Address;
}

export function findKlendObligation(seeds: KlendObligationSeeds): Promise<ProgramDerivedAddress> {
  const { tag, id, owner, market, seed1, seed2 } = seeds;
  return findDerivedAddress({
    programAddress: KLEND_PROGRAM,
    seeds: [
      Uint8Array.of(tag, id),
      getAddressBytes(owner),
      getAddressBytes(market),
      getAddressBytes(seed1),
      getAddressBytes(seed2),
    ],
  });
}

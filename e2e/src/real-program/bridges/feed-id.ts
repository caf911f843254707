import { type Address, getAddressEncoder, type ReadonlyUint8Array } from '@solana/kit';

/**
 * A bank's oracle key is a Pyth feed id in the ELF and the address of a feed account today. A feed whose id is its own address is named
 * by the same key in both.
 */
export function feedIdOf(oracle: Address): ReadonlyUint8Array {
  return getAddressEncoder().encode(oracle);
}

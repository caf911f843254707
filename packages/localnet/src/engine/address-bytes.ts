import { type Address, getAddressDecoder, getAddressEncoder } from '@solana/kit';

/** Base58 is slow and the same few addresses come back in every transaction. Emptied when full rather than aged. */
const MAX_CACHED = 20_000;
const bytesByAddress = new Map<Address, Uint8Array>();
const encoder = getAddressEncoder();
const decoder = getAddressDecoder();

/** The 32 bytes of an address. Shared: callers must not write into them. */
export function getAddressBytes(address: Address): Uint8Array {
  const cached = bytesByAddress.get(address);
  if (cached !== undefined) return cached;
  if (bytesByAddress.size >= MAX_CACHED) bytesByAddress.clear();
  const bytes = new Uint8Array(encoder.encode(address));
  bytesByAddress.set(address, bytes);
  return bytes;
}

/** The address written in `data` at `offset`. */
export function readAddress(data: Uint8Array, offset = 0): Address {
  return decoder.decode(data, offset);
}

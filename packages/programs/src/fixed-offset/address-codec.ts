import {
  type Address,
  combineCodec,
  createDecoder,
  createEncoder,
  type FixedSizeCodec,
  getAddressDecoder,
  getAddressEncoder,
  type ReadonlyUint8Array,
} from '@solana/kit';
import { addressAt } from './addresses.ts';

const SIZE = 32;
/** When it is full, all of it is forgotten. */
const MAX_REMEMBERED = 20_000;
const bytesByAddress = new Map<Address, Uint8Array>();
const [slowEncoder, slowDecoder] = [getAddressEncoder(), getAddressDecoder()];

/** Reads and writes as kit's own codec does, and recognises what it had before: the same few addresses come back again and again. */
const codec = combineCodec(
  createEncoder<Address, 32>({
    fixedSize: SIZE,
    write(address, bytes, offset) {
      bytes.set(getAddressBytes(address), offset);
      return offset + SIZE;
    },
  }),
  createDecoder<Address, 32>({
    fixedSize: SIZE,
    read: (bytes, offset = 0) => [readAddress(bytes, offset), offset + SIZE],
  }),
);

export function getAddressCodec(): FixedSizeCodec<Address, Address, 32> {
  return codec;
}

/**
 * The 32 bytes of an address. Shared: callers must not write into them.
 * @throws kit's error when the text is no address
 */
export function getAddressBytes(address: Address): Uint8Array {
  const known = bytesByAddress.get(address);
  if (known !== undefined) return known;
  if (bytesByAddress.size >= MAX_REMEMBERED) bytesByAddress.clear();
  const bytes = new Uint8Array(slowEncoder.encode(address));
  bytesByAddress.set(address, bytes);
  return bytes;
}

/**
 * The address written in `bytes` at `offset`.
 * @throws kit's error when they are too short
 */
export function readAddress(bytes: ReadonlyUint8Array, offset = 0): Address {
  if (offset < 0 || bytes.length - offset < SIZE) return slowDecoder.read(bytes, offset)[0];
  return addressAt(new DataView(bytes.buffer as ArrayBuffer, bytes.byteOffset + offset, SIZE), 0);
}

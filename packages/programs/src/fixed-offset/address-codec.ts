import {
  type Address,
  combineCodec,
  createDecoder,
  type FixedSizeCodec,
  getAddressDecoder,
  getAddressEncoder,
} from '@solana/kit';
import { addressAt } from './addresses.ts';

const SIZE = 32;
const slow = getAddressDecoder();

/** Reads as kit's own codec does, and recognises what was read before; for accounts that are read again and again. */
const codec = combineCodec(
  getAddressEncoder(),
  createDecoder({
    fixedSize: SIZE,
    read(bytes, offset) {
      // Bytes that are too short go to kit's, whose error says what is wrong.
      if (bytes.length - offset < SIZE) return slow.read(bytes, offset);
      return [addressAt(new DataView(bytes.buffer, bytes.byteOffset + offset, SIZE), 0), offset + SIZE];
    },
  }),
);

export function getKnownAddressCodec(): FixedSizeCodec<Address, Address, 32> {
  return codec;
}

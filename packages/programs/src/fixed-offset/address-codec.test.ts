import { getAddressCodec as kitAddressCodec } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { getAddressCodec } from './address-codec.ts';

const codec = getAddressCodec();
const bytes = Uint8Array.from({ length: 70 }, (_, index) => index * 11);

describe('getAddressCodec', () => {
  it.each([0, 5, 38])('reads as kit does at offset %i, of a part of a buffer too', (offset) => {
    const part = bytes.subarray(0);
    expect(codec.read(part, offset)).toEqual(kitAddressCodec().read(part, offset));
    const inner = bytes.subarray(3, 67);
    if (offset + 32 <= inner.length) expect(codec.read(inner, offset)).toEqual(kitAddressCodec().read(inner, offset));
  });

  it('writes what it reads', () => {
    const address = codec.decode(bytes);
    expect(codec.encode(address)).toEqual(kitAddressCodec().encode(address));
  });

  it('says what kit says of bytes that are too short', () => {
    const short = bytes.subarray(0, 31);
    expect(() => codec.decode(short)).toThrow(Error);
    let said = '';
    try {
      kitAddressCodec().decode(short);
    } catch (error) {
      said = String(error);
    }
    expect(() => codec.decode(short)).toThrow(said.replace(/^\w+: /, ''));
  });
});

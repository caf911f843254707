import * as kit from '@solana/kit';
import { getAddressDecoder, getAddressCodec as kitAddressCodec } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getAddressCodec } from './address-codec.ts';
import { encodeBase58 } from './base58.ts';
import * as ours from './number-codecs.ts';

/** All patterns of signs and words: zeros, ones, high bits. */
const BYTES = Uint8Array.from({ length: 96 }, (_, at) => (at < 32 ? at * 37 : at < 64 ? 255 : at === 79 ? 128 : 0));

function outcomeOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return String(error);
  }
}

/** As the caller of a codec sees it: a number or a big integer of any width. */
type AnyCodec = kit.FixedSizeCodec<number | bigint, number | bigint>;
const OURS = new Map(Object.entries(ours) as unknown as [string, () => AnyCodec][]);
const KITS = new Map(Object.entries(kit) as unknown as [string, () => AnyCodec][]);

describe.each([...OURS.keys()])('%s', (name) => {
  const [mine, theirs] = [OURS, KITS].map((all) => all.get(name)?.()) as [AnyCodec, AnyCodec];

  it('reads what kit reads at every place, of a part of a buffer too, and says what kit says past the end', () => {
    for (const bytes of [BYTES, BYTES.subarray(7, 90)])
      for (let at = 0; at <= bytes.length + 1; at += 1)
        expect([at, outcomeOf(() => mine.read(bytes, at))]).toEqual([at, outcomeOf(() => theirs.read(bytes, at))]);
  });

  it('writes what kit writes, and refuses what kit refuses, in its words', () => {
    const bits = BigInt(8 * mine.fixedSize);
    const edges = [bits, bits - 1n].flatMap((place) => [-1n, 0n, 1n].map((by) => (1n << place) + by));
    const values = [0n, 1n, 77n, ...edges].flatMap((value) => [value, -value]);
    for (const value of [...values, ...values.filter((one) => one >= -99n && one <= 99n).map(Number)])
      expect([value, outcomeOf(() => mine.encode(value))]).toEqual([value, outcomeOf(() => theirs.encode(value))]);
    for (const at of [3, 20 - mine.fixedSize, 21 - mine.fixedSize]) {
      const [one, other] = [BYTES.slice(0, 20), BYTES.slice(0, 20)];
      expect(outcomeOf(() => mine.write(5, one, at))).toEqual(outcomeOf(() => theirs.write(5, other, at)));
      expect(one).toEqual(other);
    }
  });
});

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

const encode = (bytes: Uint8Array) => encodeBase58(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0);
const spelled = (bytes: Uint8Array) => getAddressDecoder().decode(bytes) as string;

describe('encodeBase58', () => {
  it.each([0, 1, 15, 31, 32])('writes %i leading zero bytes as as many ones', (zeros) => {
    const bytes = new Uint8Array(32).fill(255, zeros);
    expect(encode(bytes)).toBe(spelled(bytes));
  });

  it('writes the largest number', () => {
    const bytes = new Uint8Array(32).fill(255);
    expect(encode(bytes)).toBe(spelled(bytes));
  });

  it('writes any 32 bytes as the address library does', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.nat(32), (bytes, zeros) => {
        bytes.fill(0, 0, zeros);
        expect(encode(bytes)).toBe(spelled(bytes));
      }),
      { numRuns: 2_000 },
    );
  });
});

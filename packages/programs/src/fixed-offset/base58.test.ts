import { getAddressDecoder } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeBase58 } from './base58.ts';

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

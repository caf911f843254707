import { describe, expect, it } from 'vitest';
import { decodeSecp256k1Offsets, encodeSecp256k1Instruction } from './signature-instruction.ts';

const MESSAGE = new Uint8Array(32).fill(7);
const SIGNATURES = [1, 2, 3].map((number) => ({
  signature: new Uint8Array(64).fill(number),
  recoveryId: number % 2,
  ethAddress: new Uint8Array(20).fill(number + 100),
}));

describe('encodeSecp256k1Instruction', () => {
  it('takes a count, 11 bytes of offsets and 85 of signature for each, and the message once', () => {
    for (const count of [1, 2, 3]) {
      const { data } = encodeSecp256k1Instruction(SIGNATURES.slice(0, count), MESSAGE, 0);
      expect(data).toHaveLength(1 + 11 * count + 85 * count + 32);
    }
  });

  it('points at the bytes it wrote', () => {
    const data = Uint8Array.from(encodeSecp256k1Instruction(SIGNATURES, MESSAGE, 2).data ?? []);
    for (const [index, offsets] of decodeSecp256k1Offsets(data).entries()) {
      const { signature, ethAddress, recoveryId } = SIGNATURES[index] ?? expect.fail();
      const at = (start: number, size: number) => data.slice(start, start + size);
      expect(at(offsets.signatureOffset, 64)).toEqual(signature);
      expect(data[offsets.signatureOffset + 64]).toBe(recoveryId);
      expect(at(offsets.ethAddressOffset, 20)).toEqual(ethAddress);
      expect(at(offsets.messageDataOffset, offsets.messageDataSize)).toEqual(MESSAGE);
    }
  });

  it('names its own place in bytes 2, 5 and 10 of each block of offsets', () => {
    const data = Uint8Array.from(encodeSecp256k1Instruction(SIGNATURES, MESSAGE, 9).data ?? []);
    for (const block of [1, 12, 23]) expect([data[block + 2], data[block + 5], data[block + 10]]).toEqual([9, 9, 9]);
  });
});

describe('decodeSecp256k1Offsets', () => {
  it('refuses data that ends before its offsets do', () => {
    expect(() => decodeSecp256k1Offsets(Uint8Array.of(2, 0, 0, 0))).toThrow(RangeError);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAddress } from './address-input.ts';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** By long division, another way than the one that is tested. */
function toBase58(bytes: Uint8Array): string {
  let text = '';
  let value = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  while (value > 0n) {
    text = (ALPHABET[Number(value % 58n)] ?? '') + text;
    value /= 58n;
  }
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros === -1 ? bytes.length : zeros) + text;
}

const bytes = (length: number) =>
  fc.oneof(
    fc.uint8Array({ minLength: length, maxLength: length }),
    fc
      .nat({ max: length })
      .chain((zeros) =>
        fc
          .uint8Array({ minLength: length - zeros, maxLength: length - zeros })
          .map((rest) => Uint8Array.from([...new Uint8Array(zeros), ...rest])),
      ),
  );

describe('isAddress', () => {
  it('takes the base58 of any 32 bytes', () => {
    fc.assert(fc.property(bytes(32), (some) => isAddress(toBase58(some))));
  });

  it('takes that of no other length', () => {
    fc.assert(
      fc.property(
        fc
          .integer({ min: 0, max: 64 })
          .filter((length) => length !== 32)
          .chain(bytes),
        (some) => !isAddress(toBase58(some)),
      ),
    );
  });

  it('takes no letter that base58 lacks', () => {
    for (const letter of '0OIl +/=') expect(isAddress(`${'A'.repeat(42)}${letter}`)).toBe(false);
  });
});

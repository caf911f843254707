import { getAddressDecoder } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { addressAt } from './addresses.ts';

/** Differs in one word from the address whose slot it shares, so that only the comparison tells them apart. */
const sharing = (word: number, value: number) => {
  const words = new Int32Array(8).fill(7);
  words[word] = value;
  return new Uint8Array(words.buffer);
};
const read = (bytes: Uint8Array) => addressAt(new DataView(bytes.buffer), 0);

describe('addressAt', () => {
  it.each([0, 2, 3, 4, 5, 7])('tells apart two addresses that share a slot and differ in word %i', (word) => {
    for (const bytes of [sharing(word, 1), sharing(word, 2), sharing(word, 1)]) {
      expect(read(bytes)).toBe(getAddressDecoder().decode(bytes));
    }
  });

  it('gives the same text again', () => {
    expect(read(sharing(0, 3))).toBe(read(sharing(0, 3)));
  });

  it('reads the address of zeros', () => {
    expect(read(new Uint8Array(32))).toBe('11111111111111111111111111111111');
  });

  it('reads at a place that is not aligned', () => {
    const bytes = Uint8Array.from({ length: 40 }, (_, index) => index * 7);
    const expected = getAddressDecoder().decode(bytes, 5);
    expect(addressAt(new DataView(bytes.buffer), 5)).toBe(expected);
  });
});

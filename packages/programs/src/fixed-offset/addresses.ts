import type { Address } from '@solana/kit';
import { encodeBase58 } from './base58.ts';

/** A power of two. At 16,384 the memory is half a megabyte, and about one and a half more when every text is held. */
const SLOTS = 1 << 14;
const WORDS = 8;

/**
 * The addresses read last, each in the one slot that its bytes lead to. Banks, mints and vaults come back in every account, and to
 * spell an address costs twenty times what it costs to recognise it. What is not here is spelled, and takes the slot.
 */
const words = new Int32Array(SLOTS * WORDS);
const texts: (Address | undefined)[] = new Array(SLOTS);

export function addressAt(view: DataView, at: number): Address {
  const w0 = view.getInt32(at, true);
  const w1 = view.getInt32(at + 4, true);
  const w2 = view.getInt32(at + 8, true);
  const w3 = view.getInt32(at + 12, true);
  const w4 = view.getInt32(at + 16, true);
  const w5 = view.getInt32(at + 20, true);
  const w6 = view.getInt32(at + 24, true);
  const w7 = view.getInt32(at + 28, true);
  const slot = (w1 ^ w6) & (SLOTS - 1);
  const base = slot * WORDS;
  const known = texts[slot];
  if (
    known !== undefined &&
    words[base] === w0 &&
    words[base + 1] === w1 &&
    words[base + 2] === w2 &&
    words[base + 3] === w3 &&
    words[base + 4] === w4 &&
    words[base + 5] === w5 &&
    words[base + 6] === w6 &&
    words[base + 7] === w7
  ) {
    return known;
  }
  const text = encodeBase58(view, at) as Address;
  words[base] = w0;
  words[base + 1] = w1;
  words[base + 2] = w2;
  words[base + 3] = w3;
  words[base + 4] = w4;
  words[base + 5] = w5;
  words[base + 6] = w6;
  words[base + 7] = w7;
  texts[slot] = text;
  return text;
}

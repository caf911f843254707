import { createHash } from 'node:crypto';
import { type Blockhash, getBase58Decoder } from '@solana/kit';

/** A hash that follows from a text. Nobody looks into the chain's hashes; they only have to differ and stay the same. */
export function hashText(text: string): Blockhash {
  return getBase58Decoder().decode(createHash('sha256').update(text).digest()) as Blockhash;
}

import { createHash } from 'node:crypto';
import { getAddressDecoder } from '@solana/kit';

/** An address that nobody has, always the same for a name: its letters are as random as real ones, and take as many tokens. */
export function madeAddress(name: string): string {
  return getAddressDecoder().decode(createHash('sha256').update(name).digest());
}

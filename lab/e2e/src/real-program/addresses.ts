import { createHash } from 'node:crypto';
import { type Address, getAddressDecoder } from '@solana/kit';

export { SYSTEM_PROGRAM } from '@lending/programs';

/** The same address for the same label in every run. */
export function labelled(label: string): Address {
  return getAddressDecoder().decode(createHash('sha256').update(`real program ${label}`).digest());
}

export const PAYER = labelled('payer');

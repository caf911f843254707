import { createHash } from 'node:crypto';
import { type Address, address, getAddressDecoder } from '@solana/kit';

export { COMPUTE_BUDGET_PROGRAM, RENT_SYSVAR, SYSTEM_PROGRAM } from '@lending/programs';

/** The same address for the same label in every run. */
export function labelled(label: string): Address {
  return getAddressDecoder().decode(createHash('sha256').update(`real program ${label}`).digest());
}

export const PAYER = labelled('payer');
export const ADMIN = labelled('admin');
export const FEE_WALLET = labelled('fee wallet');
export const GROUP = labelled('group');
/** The multisig that alone may create the fee state of the mainnet program; here everybody can sign for everybody. */
export const PROGRAM_MULTISIG = address('3HGdGLrnK9DsnHi1mCrUMLGfQHcu6xUrXhMY14GYjqvM');

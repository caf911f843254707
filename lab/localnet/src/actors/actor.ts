import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { getAddressBytes, MARGINFI_MAIN_GROUP, MARGINFI_PROGRAM, readAddress } from '@lending/programs';
import type { Address } from '@solana/kit';
import { findProgramAddress } from '#engine/derived-address.ts';

/** Somebody who acts on the demo market: a wallet that signs, and the lending account it opens when it first acts. */
export interface Actor {
  readonly name: string;
  readonly wallet: Address;
  /** The PDA of index 0; it need not exist yet. */
  readonly account: Address;
  sign(message: Uint8Array): Uint8Array;
}

/** What a PKCS #8 file of an Ed25519 key begins with. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const NO_THIRD_PARTY = new Uint8Array(2);

/**
 * The actor of a name. Its private key is the SHA-256 of `lending demo actor: <name>`: everybody can compute it, and it is worth nothing
 * outside this chain.
 */
export function createActor(name: string): Actor {
  const seed = createHash('sha256').update(`lending demo actor: ${name}`).digest();
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  const wallet = readAddress(publicBytesOf(key));
  return { name, wallet, account: findLendingAccount(wallet, 0).address, sign: (message) => sign(null, message, key) };
}

/** The lending account of a wallet that is derived with this index, and its bump. */
export function findLendingAccount(wallet: Address, index: number): ReturnType<typeof findProgramAddress> {
  const text = new TextEncoder().encode('marginfi_account');
  const number = Uint8Array.of(index & 0xff, index >> 8);
  const seeds = [text, getAddressBytes(MARGINFI_MAIN_GROUP), getAddressBytes(wallet), number, NO_THIRD_PARTY];
  return findProgramAddress(seeds, MARGINFI_PROGRAM);
}

function publicBytesOf(key: KeyObject): Uint8Array {
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  return Buffer.from(x ?? '', 'base64url');
}

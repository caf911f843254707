import { open } from 'node:fs/promises';
import {
  createKeyPairFromBytes,
  createKeyPairFromPrivateKeyBytes,
  createSignerFromKeyPair,
  type KeyPairSigner,
} from '@solana/kit';

const SEED_BYTES = 32;
/** The seed with the public key after it, as Solana's own tools store a key. */
const PAIR_BYTES = 64;
/** Bits that let anybody but the owner read or change a file. */
const OTHERS = 0o077;

/**
 * Reads a signer from a file that holds a JSON array of 32 (seed) or 64 (seed and public key) bytes. The key cannot be taken out of what
 * is returned, and no message of this function has any of the file in it.
 * @throws Error when others may read the file, or when it holds no key.
 */
export async function readKeyFile(path: string): Promise<KeyPairSigner> {
  const bytes = parseKey(await readPrivately(path), path);
  try {
    const pair = bytes.length === PAIR_BYTES ? createKeyPairFromBytes(bytes) : createKeyPairFromPrivateKeyBytes(bytes);
    return await createSignerFromKeyPair(await pair);
  } catch {
    throw new Error(`${path} holds no Ed25519 key, or a public key that is not its own`);
  } finally {
    bytes.fill(0);
  }
}

/** The permissions looked at are those of the file that is read, whatever its name points to a moment later. */
async function readPrivately(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { mode } = await file.stat();
    const isPrivate = process.platform === 'win32' || (mode & OTHERS) === 0;
    if (!isPrivate)
      throw new Error(`${path} can be read by others (mode ${(mode & 0o777).toString(8)}): chmod 600 it first`);
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

function parseKey(text: string, path: string): Uint8Array {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // What JSON.parse has to say quotes the file.
    throw new Error(`${path} is no JSON`);
  }
  const isKey =
    Array.isArray(value) &&
    (value.length === SEED_BYTES || value.length === PAIR_BYTES) &&
    value.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255);
  if (!isKey) throw new Error(`${path} is no JSON array of ${SEED_BYTES} or ${PAIR_BYTES} bytes`);
  return Uint8Array.from(value as number[]);
}

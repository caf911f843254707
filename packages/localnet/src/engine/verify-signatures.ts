import { createPublicKey, verify } from 'node:crypto';
import { getAddressBytes } from '@lending/programs';
import type { DecodedTransaction } from './decode-transaction.ts';
import { TransactionFailure } from './transaction-failure.ts';

/** DER header of an ed25519 public key; the 32 key bytes follow. */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** @throws TransactionFailure `SignatureFailure` unless every required signer signed these very bytes. */
export function assertSignatures(transaction: DecodedTransaction): void {
  const isSigned = transaction.signatures.every((signature, index) => {
    const signer = transaction.staticKeys[index];
    if (signature === null || signer === undefined) return false;
    return isSignatureOf(getAddressBytes(signer), transaction.messageBytes, signature);
  });
  if (!isSigned) throw new TransactionFailure('SignatureFailure');
}

function isSignatureOf(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  try {
    const publicKey = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, key]), format: 'der', type: 'spki' });
    return verify(null, message, publicKey, signature);
  } catch {
    return false;
  }
}

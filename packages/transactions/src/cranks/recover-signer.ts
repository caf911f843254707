import type { Secp256k1Signature } from '@lending/programs';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';

const ADDRESS_BYTES = 20;

/** Whether a signature over the Keccak-256 of a message is that of its Ethereum address: what the chain will check. */
export function isSignedBy({ signature, recoveryId, ethAddress }: Secp256k1Signature, message: Uint8Array): boolean {
  try {
    const signed = secp256k1.Signature.fromBytes(Uint8Array.from(signature), 'compact').addRecoveryBit(recoveryId);
    const publicKey = signed.recoverPublicKey(keccak_256(message)).toBytes(false);
    const recovered = keccak_256(publicKey.slice(1)).slice(-ADDRESS_BYTES);
    return recovered.every((byte, index) => byte === ethAddress[index]);
  } catch {
    // The library says with exceptions what no key can have signed.
    return false;
  }
}

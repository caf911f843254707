import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';

const ETH_ADDRESS_SIZE = 20;

/**
 * The Ethereum address whose key signed the Keccak-256 of a message.
 * @returns null when no key gives that signature.
 */
export function recoverEthAddress(signature: Uint8Array, recoveryId: number, message: Uint8Array): Uint8Array | null {
  try {
    const recovered = secp256k1.Signature.fromBytes(signature, 'compact').addRecoveryBit(recoveryId);
    return ethAddressOf(recovered.recoverPublicKey(keccak_256(message)).toBytes(false));
  } catch {
    // The library says with exceptions what is a wrong signature.
    return null;
  }
}

/** The last 20 bytes of the hash of an uncompressed public key without its first byte. */
export function ethAddressOf(publicKey: Uint8Array): Uint8Array {
  return keccak_256(publicKey.slice(1)).slice(-ETH_ADDRESS_SIZE);
}

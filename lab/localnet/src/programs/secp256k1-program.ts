import { decodeSecp256k1Offsets, SECP256K1_PROGRAM, type Secp256k1Offsets } from '@lending/programs';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { areBytesEqual } from '#engine/bytes.ts';
import { customError } from '#engine/instruction-error.ts';
import type { CalledInstruction, InvokeContext, Program } from '#engine/program.ts';

/** What the runtime's checks of signatures end in. @see agave precompile-error src/lib.rs */
const ERRORS = {
  InvalidPublicKey: 0,
  InvalidRecoveryId: 1,
  InvalidSignature: 2,
  InvalidDataOffsets: 3,
  InvalidInstructionDataSize: 4,
} as const;

const SIGNATURE_SIZE = 64;
const ETH_ADDRESS_SIZE = 20;
const RECOVERY_IDS = 4;

/**
 * The runtime's check of secp256k1 signatures: each must recover to the Ethereum address that stands with it. It costs no units; each
 * signature costs the fee of one.
 * @see agave secp256k1-program and precompiles/src/secp256k1.rs
 */
export const secp256k1Program: Program = { programId: SECP256K1_PROGRAM, handle, units: 0n };

function handle({ data, transaction }: InvokeContext): void {
  const [count] = data;
  if (count === undefined || (count === 0 && data.length > 1)) fail('InvalidInstructionDataSize');
  for (const offsets of readOffsets(data)) verify(offsets, transaction.instructions);
}

function readOffsets(data: Uint8Array): readonly Secp256k1Offsets[] {
  try {
    return decodeSecp256k1Offsets(data);
  } catch (error) {
    if (error instanceof RangeError) fail('InvalidInstructionDataSize');
    throw error;
  }
}

function verify(offsets: Secp256k1Offsets, instructions: readonly CalledInstruction[]): void {
  const signed = instructions[offsets.signatureInstructionIndex]?.data ?? fail('InvalidInstructionDataSize');
  const signatureEnd = offsets.signatureOffset + SIGNATURE_SIZE;
  // The byte after a signature is its recovery id.
  if (signatureEnd >= signed.length) fail('InvalidSignature');
  const ethAddress = slice(
    instructions,
    offsets.ethAddressInstructionIndex,
    offsets.ethAddressOffset,
    ETH_ADDRESS_SIZE,
  );
  const message = slice(
    instructions,
    offsets.messageInstructionIndex,
    offsets.messageDataOffset,
    offsets.messageDataSize,
  );
  const recoveryId = signed[signatureEnd] ?? RECOVERY_IDS;
  if (recoveryId >= RECOVERY_IDS) fail('InvalidRecoveryId');
  const signature = signed.slice(offsets.signatureOffset, signatureEnd);
  const recovered = recoverEthAddress(signature, recoveryId, message);
  if (recovered === null || !areBytesEqual(recovered, ethAddress)) fail('InvalidSignature');
}

function slice(instructions: readonly CalledInstruction[], index: number, start: number, size: number): Uint8Array {
  const data = instructions[index]?.data ?? fail('InvalidDataOffsets');
  if (start + size > data.length) fail('InvalidSignature');
  return data.slice(start, start + size);
}

function fail(name: keyof typeof ERRORS): never {
  throw customError(ERRORS[name]);
}

/**
 * The Ethereum address whose key signed the Keccak-256 of a message.
 * @returns null when no key gives that signature.
 */
function recoverEthAddress(signature: Uint8Array, recoveryId: number, message: Uint8Array): Uint8Array | null {
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

import {
  type Address,
  address,
  fixCodecSize,
  getArrayCodec,
  getBytesCodec,
  getStructCodec,
  type Instruction,
  type ReadonlyUint8Array,
} from '@solana/kit';
import { getU8Codec, getU16Codec } from '../fixed-offset/number-codecs.ts';

/** The runtime's own program that checks secp256k1 signatures before a transaction runs. */
export const SECP256K1_PROGRAM: Address = address('KeccakSecp256k11111111111111111111111111111');

/** A signature over the Keccak-256 of a message, and the Ethereum address it has to recover to. */
export interface Secp256k1Signature {
  /** r and s, 32 bytes each, big endian. */
  readonly signature: ReadonlyUint8Array;
  /** 0 or 1. */
  readonly recoveryId: number;
  /** 20 bytes. */
  readonly ethAddress: ReadonlyUint8Array;
}

/** Where one signature, its address and its message are: in which instruction of the transaction, from which byte. */
export interface Secp256k1Offsets {
  readonly signatureOffset: number;
  readonly signatureInstructionIndex: number;
  readonly ethAddressOffset: number;
  readonly ethAddressInstructionIndex: number;
  readonly messageDataOffset: number;
  readonly messageDataSize: number;
  readonly messageInstructionIndex: number;
}

const SIGNATURE_SIZE = 64;
const ETH_ADDRESS_SIZE = 20;
const OFFSETS_SIZE = 11;
/** A signature, its recovery id and its address. */
const BLOCK_SIZE = SIGNATURE_SIZE + 1 + ETH_ADDRESS_SIZE;

function getOffsetsCodec() {
  return getStructCodec([
    ['signatureOffset', getU16Codec()],
    ['signatureInstructionIndex', getU8Codec()],
    ['ethAddressOffset', getU16Codec()],
    ['ethAddressInstructionIndex', getU8Codec()],
    ['messageDataOffset', getU16Codec()],
    ['messageDataSize', getU16Codec()],
    ['messageInstructionIndex', getU8Codec()],
  ]);
}

const offsetsList = getArrayCodec(getOffsetsCodec(), { size: getU8Codec() });
const block = getStructCodec([
  ['signature', fixCodecSize(getBytesCodec(), SIGNATURE_SIZE)],
  ['recoveryId', getU8Codec()],
  ['ethAddress', fixCodecSize(getBytesCodec(), ETH_ADDRESS_SIZE)],
]);

/**
 * One message, signed by several.
 * Shape: count, 11 bytes of offsets for each signature, 85 bytes for each signature, the message.
 * @param instructionIndex where this instruction will stand in its transaction: the offsets point into it.
 * @see agave sdk secp256k1-program src/lib.rs
 */
export function encodeSecp256k1Instruction(
  signatures: readonly Secp256k1Signature[],
  message: ReadonlyUint8Array,
  instructionIndex: number,
): Instruction {
  const blocksAt = 1 + OFFSETS_SIZE * signatures.length;
  const messageDataOffset = blocksAt + BLOCK_SIZE * signatures.length;
  const offsets = signatures.map((_, index): Secp256k1Offsets => {
    const signatureOffset = blocksAt + BLOCK_SIZE * index;
    return {
      signatureOffset,
      signatureInstructionIndex: instructionIndex,
      ethAddressOffset: signatureOffset + SIGNATURE_SIZE + 1,
      ethAddressInstructionIndex: instructionIndex,
      messageDataOffset,
      messageDataSize: message.length,
      messageInstructionIndex: instructionIndex,
    };
  });
  const blocks = signatures.flatMap((signature) => [...block.encode(signature)]);
  return {
    programAddress: SECP256K1_PROGRAM,
    accounts: [],
    data: Uint8Array.from([...offsetsList.encode(offsets), ...blocks, ...message]),
  };
}

/** Where the signatures of such an instruction are. @throws RangeError when the data ends before its offsets do. */
export function decodeSecp256k1Offsets(data: Uint8Array): readonly Secp256k1Offsets[] {
  const count = data[0] ?? 0;
  if (data.length < 1 + OFFSETS_SIZE * count) {
    throw new RangeError(`${count} signatures need ${1 + OFFSETS_SIZE * count} bytes, not ${data.length}`);
  }
  return offsetsList.decode(data);
}

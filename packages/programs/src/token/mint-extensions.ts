import { type FixedSizeDecoder, type FixedSizeEncoder, getStructCodec } from '@solana/kit';
import { getAddressCodec } from '../fixed-offset/address-codec.ts';
import { getU16Codec, getU64Codec } from '../fixed-offset/number-codecs.ts';

/** Numbers of the extensions of a Token-2022 mint that we read. */
export const MINT_EXTENSION = { transferFeeConfig: 1, tokenMetadata: 19 } as const;

/** An extended mint is filled up to the size of a token account; then comes a byte that says what it is, then the extensions. */
const KIND_OFFSET = 165;
const KIND_MINT = 1;
const HEADER_SIZE = 4;

/**
 * The bytes of one extension of a Token-2022 mint: type u16, length u16 and value, one after the other, until a type of 0 or the end.
 * @returns null when the mint does not have it, or its bytes end before the extension does.
 */
export function findMintExtension(mint: Uint8Array, type: number): Uint8Array | null {
  if (mint[KIND_OFFSET] !== KIND_MINT) return null;
  const view = new DataView(mint.buffer, mint.byteOffset, mint.byteLength);
  let offset = KIND_OFFSET + 1;
  while (offset + HEADER_SIZE <= mint.length) {
    const [found, length] = [view.getUint16(offset, true), view.getUint16(offset + 2, true)];
    const end = offset + HEADER_SIZE + length;
    if (found === 0 || end > mint.length) return null;
    if (found === type) return mint.subarray(offset + HEADER_SIZE, end);
    offset = end;
  }
  return null;
}

function getTransferFeeCodec() {
  return getStructCodec([
    ['epoch', getU64Codec()],
    ['maximumFee', getU64Codec()],
    ['transferFeeBasisPoints', getU16Codec()],
  ]);
}

/** The fee a mint keeps from transfers: the older one until the newer one's epoch. */
export function getTransferFeeConfigCodec() {
  return getStructCodec([
    ['transferFeeConfigAuthority', getAddressCodec()],
    ['withdrawWithheldAuthority', getAddressCodec()],
    ['withheldAmount', getU64Codec()],
    ['olderTransferFee', getTransferFeeCodec()],
    ['newerTransferFee', getTransferFeeCodec()],
  ]);
}

export type TransferFeeConfig = ReturnType<ReturnType<typeof getTransferFeeConfigCodec>['decode']>;
export type TransferFeeConfigArgs = Parameters<ReturnType<typeof getTransferFeeConfigCodec>['encode']>[0];

export function getTransferFeeConfigEncoder(): FixedSizeEncoder<TransferFeeConfigArgs> {
  return getTransferFeeConfigCodec();
}

export function getTransferFeeConfigDecoder(): FixedSizeDecoder<TransferFeeConfig> {
  return getTransferFeeConfigCodec();
}

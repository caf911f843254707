import {
  type FixedSizeDecoder,
  type FixedSizeEncoder,
  fixCodecSize,
  getBytesCodec,
  getConstantCodec,
  getHiddenPrefixCodec,
  getStructCodec,
} from '@solana/kit';
import { getAddressCodec } from '../fixed-offset/address-codec.ts';
import { getU8Codec, getU16Codec, getU64Codec } from '../fixed-offset/number-codecs.ts';
import { getPaddingCodec } from '../padding.ts';

export const BANK_METADATA_DISCRIMINATOR = new Uint8Array([49, 207, 31, 34, 67, 225, 169, 186]);
export const BANK_METADATA_SIZE = 504;

/**
 * What an administrator wrote about a bank, as UTF-8 in fixed byte ranges. `end*` is the index of the last byte of its
 * text, 0 when there is none. Field order and names are the IDL's (0.1.8).
 */
export function getBankMetadataCodec() {
  return getHiddenPrefixCodec(
    getStructCodec([
      ['bank', getAddressCodec()],
      ['placeholder', getU64Codec()],
      ['ticker', fixCodecSize(getBytesCodec(), 64)],
      ['description', fixCodecSize(getBytesCodec(), 128)],
      ['dataBlob', fixCodecSize(getBytesCodec(), 256)],
      ['endDescriptionByte', getU16Codec()],
      ['endDataBlob', getU16Codec()],
      ['endTickerByte', getU8Codec()],
      ['bump', getU8Codec()],
      ['_pad0', getPaddingCodec(2)],
    ]),
    [getConstantCodec(BANK_METADATA_DISCRIMINATOR)],
  );
}

export type BankMetadata = ReturnType<ReturnType<typeof getBankMetadataCodec>['decode']>;
export type BankMetadataArgs = Parameters<ReturnType<typeof getBankMetadataCodec>['encode']>[0];

export function getBankMetadataEncoder(): FixedSizeEncoder<BankMetadataArgs> {
  return getBankMetadataCodec();
}

export function getBankMetadataDecoder(): FixedSizeDecoder<BankMetadata> {
  return getBankMetadataCodec();
}

import {
  type FixedSizeDecoder,
  type FixedSizeEncoder,
  getConstantCodec,
  getHiddenPrefixCodec,
  getStructCodec,
} from '@solana/kit';
import { getAddressCodec } from '../fixed-offset/address-codec.ts';
import { getU64Codec } from '../fixed-offset/number-codecs.ts';
import { getPaddingCodec } from '../padding.ts';

export const KLEND_USER_METADATA_DISCRIMINATOR = new Uint8Array([157, 214, 220, 235, 98, 135, 171, 28]);
export const KLEND_USER_METADATA_SIZE = 1032;

/** What klend keeps of an owner, whatever the market. Field order and names are the IDL's (1.22.0). */
export function getKlendUserMetadataCodec() {
  return getHiddenPrefixCodec(
    getStructCodec([
      ['referrer', getAddressCodec()],
      ['bump', getU64Codec()],
      ['userLookupTable', getAddressCodec()],
      ['owner', getAddressCodec()],
      ['padding1', getPaddingCodec(408)],
      ['padding2', getPaddingCodec(512)],
    ]),
    [getConstantCodec(KLEND_USER_METADATA_DISCRIMINATOR)],
  );
}

export type KlendUserMetadata = ReturnType<ReturnType<typeof getKlendUserMetadataCodec>['decode']>;
export type KlendUserMetadataArgs = Parameters<ReturnType<typeof getKlendUserMetadataCodec>['encode']>[0];

export function getKlendUserMetadataEncoder(): FixedSizeEncoder<KlendUserMetadataArgs> {
  return getKlendUserMetadataCodec();
}

export function getKlendUserMetadataDecoder(): FixedSizeDecoder<KlendUserMetadata> {
  return getKlendUserMetadataCodec();
}

import {
  addCodecSizePrefix,
  getStructCodec,
  getUtf8Codec,
  type VariableSizeDecoder,
  type VariableSizeEncoder,
} from '@solana/kit';
import { getAddressCodec } from '../fixed-offset/address-codec.ts';
import { getU32Codec } from '../fixed-offset/number-codecs.ts';

/** What a Token-2022 mint that holds its own metadata calls itself; more fields follow. */
export function getTokenMetadataCodec() {
  const text = addCodecSizePrefix(getUtf8Codec(), getU32Codec());
  return getStructCodec([
    ['updateAuthority', getAddressCodec()],
    ['mint', getAddressCodec()],
    ['name', text],
    ['symbol', text],
    ['uri', text],
  ]);
}

export type TokenMetadata = ReturnType<ReturnType<typeof getTokenMetadataCodec>['decode']>;
export type TokenMetadataArgs = Parameters<ReturnType<typeof getTokenMetadataCodec>['encode']>[0];

export function getTokenMetadataEncoder(): VariableSizeEncoder<TokenMetadataArgs> {
  return getTokenMetadataCodec();
}

export function getTokenMetadataDecoder(): VariableSizeDecoder<TokenMetadata> {
  return getTokenMetadataCodec();
}

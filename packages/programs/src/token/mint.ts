import { type FixedSizeDecoder, type FixedSizeEncoder, getBooleanCodec, getStructCodec } from '@solana/kit';
import { getAddressCodec } from '../fixed-offset/address-codec.ts';
import { getU8Codec, getU64Codec } from '../fixed-offset/number-codecs.ts';
import { getCoptionCodec } from './coption.ts';

export const MINT_SIZE = 82;

/** A mint of the token program, and the first 82 bytes of a Token-2022 mint. */
export function getMintCodec() {
  return getStructCodec([
    ['mintAuthority', getCoptionCodec(getAddressCodec())],
    ['supply', getU64Codec()],
    ['decimals', getU8Codec()],
    ['isInitialized', getBooleanCodec()],
    ['freezeAuthority', getCoptionCodec(getAddressCodec())],
  ]);
}

export type Mint = ReturnType<ReturnType<typeof getMintCodec>['decode']>;
export type MintArgs = Parameters<ReturnType<typeof getMintCodec>['encode']>[0];

export function getMintEncoder(): FixedSizeEncoder<MintArgs> {
  return getMintCodec();
}

export function getMintDecoder(): FixedSizeDecoder<Mint> {
  return getMintCodec();
}

import { type FixedSizeDecoder, type FixedSizeEncoder, getStructCodec } from '@solana/kit';
import { getAddressCodec } from '#fixed-offset/address-codec.ts';
import { getU8Codec, getU64Codec } from '../fixed-offset/number-codecs.ts';
import { getCoptionCodec } from './coption.ts';

export const TOKEN_ACCOUNT_SIZE = 165;

/** Values of `state`. */
export const TOKEN_ACCOUNT_STATE = { uninitialized: 0, initialized: 1, frozen: 2 } as const;

/**
 * An account of the token program, and the first 165 bytes of a Token-2022 account. `isNative` holds the rent-exempt
 * lamports of a wrapped SOL account.
 */
export function getTokenAccountCodec() {
  return getStructCodec([
    ['mint', getAddressCodec()],
    ['owner', getAddressCodec()],
    ['amount', getU64Codec()],
    ['delegate', getCoptionCodec(getAddressCodec())],
    ['state', getU8Codec()],
    ['isNative', getCoptionCodec(getU64Codec())],
    ['delegatedAmount', getU64Codec()],
    ['closeAuthority', getCoptionCodec(getAddressCodec())],
  ]);
}

export type TokenAccount = ReturnType<ReturnType<typeof getTokenAccountCodec>['decode']>;
export type TokenAccountArgs = Parameters<ReturnType<typeof getTokenAccountCodec>['encode']>[0];

export function getTokenAccountEncoder(): FixedSizeEncoder<TokenAccountArgs> {
  return getTokenAccountCodec();
}

export function getTokenAccountDecoder(): FixedSizeDecoder<TokenAccount> {
  return getTokenAccountCodec();
}

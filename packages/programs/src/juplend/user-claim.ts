import {
  type FixedSizeDecoder,
  type FixedSizeEncoder,
  getConstantCodec,
  getHiddenPrefixCodec,
  getStructCodec,
} from '@solana/kit';
import { getAddressCodec } from '../fixed-offset/address-codec.ts';
import { getU64Codec } from '../fixed-offset/number-codecs.ts';

export const JUPLEND_USER_CLAIM_DISCRIMINATOR = new Uint8Array([228, 142, 195, 181, 228, 147, 32, 209]);
export const JUPLEND_USER_CLAIM_SIZE = 80;

/**
 * Tokens of one mint set aside for somebody to fetch. Packed. Field order and names are the IDL's (0.1.5).
 */
export function getJuplendUserClaimCodec() {
  return getHiddenPrefixCodec(
    getStructCodec([
      ['user', getAddressCodec()],
      ['amount', getU64Codec()],
      ['mint', getAddressCodec()],
    ]),
    [getConstantCodec(JUPLEND_USER_CLAIM_DISCRIMINATOR)],
  );
}

export type JuplendUserClaim = ReturnType<ReturnType<typeof getJuplendUserClaimCodec>['decode']>;
export type JuplendUserClaimArgs = Parameters<ReturnType<typeof getJuplendUserClaimCodec>['encode']>[0];

export function getJuplendUserClaimEncoder(): FixedSizeEncoder<JuplendUserClaimArgs> {
  return getJuplendUserClaimCodec();
}

export function getJuplendUserClaimDecoder(): FixedSizeDecoder<JuplendUserClaim> {
  return getJuplendUserClaimCodec();
}

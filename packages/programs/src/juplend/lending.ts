import {
  type FixedSizeDecoder,
  type FixedSizeEncoder,
  getConstantCodec,
  getHiddenPrefixCodec,
  getStructCodec,
} from '@solana/kit';
import { getAddressCodec } from '../fixed-offset/address-codec.ts';
import { getU8Codec, getU16Codec, getU64Codec } from '../fixed-offset/number-codecs.ts';

export const JUPLEND_LENDING_DISCRIMINATOR = new Uint8Array([135, 199, 82, 16, 249, 131, 182, 241]);
export const JUPLEND_LENDING_SIZE = 196;

/**
 * What an fToken is worth: `tokenExchangePrice` in underlying tokens, scaled by 10^12, as of `lastUpdateTimestamp` (unix seconds). Packed.
 * Field order and names are the IDL's (0.1.4).
 */
export function getJuplendLendingCodec() {
  return getHiddenPrefixCodec(
    getStructCodec([
      ['mint', getAddressCodec()],
      ['fTokenMint', getAddressCodec()],
      ['lendingId', getU16Codec()],
      ['decimals', getU8Codec()],
      ['rewardsRateModel', getAddressCodec()],
      ['liquidityExchangePrice', getU64Codec()],
      ['tokenExchangePrice', getU64Codec()],
      ['lastUpdateTimestamp', getU64Codec()],
      ['tokenReservesLiquidity', getAddressCodec()],
      ['supplyPositionOnLiquidity', getAddressCodec()],
      ['bump', getU8Codec()],
    ]),
    [getConstantCodec(JUPLEND_LENDING_DISCRIMINATOR)],
  );
}

export type JuplendLending = ReturnType<ReturnType<typeof getJuplendLendingCodec>['decode']>;
export type JuplendLendingArgs = Parameters<ReturnType<typeof getJuplendLendingCodec>['encode']>[0];

export function getJuplendLendingEncoder(): FixedSizeEncoder<JuplendLendingArgs> {
  return getJuplendLendingCodec();
}

export function getJuplendLendingDecoder(): FixedSizeDecoder<JuplendLending> {
  return getJuplendLendingCodec();
}

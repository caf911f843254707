import {
  type Decoder,
  type Encoder,
  fixCodecSize,
  getBytesCodec,
  getConstantCodec,
  getDiscriminatedUnionCodec,
  getHiddenPrefixCodec,
  getStructCodec,
  getUnitCodec,
} from '@solana/kit';
import { getAddressCodec } from '#fixed-offset/address-codec.ts';
import { getI32Codec, getI64Codec, getU8Codec, getU64Codec } from '../fixed-offset/number-codecs.ts';

export const PRICE_UPDATE_V2_DISCRIMINATOR = new Uint8Array([34, 241, 35, 99, 157, 126, 244, 205]);
/** Bytes the receiver allocates: room for Partial verification. A Full update uses one byte less. */
export const PRICE_UPDATE_V2_SIZE = 134;

/** Partial says how many guardian signatures were checked and makes every later field one byte later. */
function getVerificationLevelCodec() {
  return getDiscriminatedUnionCodec([
    ['Partial', getStructCodec([['numSignatures', getU8Codec()]])],
    ['Full', getUnitCodec()],
  ]);
}

/** `value = raw × 10^exponent`; times in unix seconds. */
function getPriceFeedMessageCodec() {
  return getStructCodec([
    ['feedId', fixCodecSize(getBytesCodec(), 32)],
    ['price', getI64Codec()],
    ['conf', getU64Codec()],
    ['exponent', getI32Codec()],
    ['publishTime', getI64Codec()],
    ['prevPublishTime', getI64Codec()],
    ['emaPrice', getI64Codec()],
    ['emaConf', getU64Codec()],
  ]);
}

/** One price of the Pyth receiver. Bytes after `postedSlot` are not read: pad to the account's size when writing one. */
export function getPriceUpdateV2Codec() {
  return getHiddenPrefixCodec(
    getStructCodec([
      ['writeAuthority', getAddressCodec()],
      ['verificationLevel', getVerificationLevelCodec()],
      ['priceMessage', getPriceFeedMessageCodec()],
      ['postedSlot', getU64Codec()],
    ]),
    [getConstantCodec(PRICE_UPDATE_V2_DISCRIMINATOR)],
  );
}

export type PriceUpdateV2 = ReturnType<ReturnType<typeof getPriceUpdateV2Codec>['decode']>;
export type PriceUpdateV2Args = Parameters<ReturnType<typeof getPriceUpdateV2Codec>['encode']>[0];

export function getPriceUpdateV2Encoder(): Encoder<PriceUpdateV2Args> {
  return getPriceUpdateV2Codec();
}

export function getPriceUpdateV2Decoder(): Decoder<PriceUpdateV2> {
  return getPriceUpdateV2Codec();
}

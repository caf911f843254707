import { getDiscriminatedUnionCodec, getStructCodec, getUnitCodec } from '@solana/kit';
import { getU8Codec } from '#fixed-offset/number-codecs.ts';
import { account } from '#layout/account.ts';
import { bytes, i32, i64, pubkey, u64, type ValueOf } from '#layout/field-types.ts';
import { struct } from '#layout/struct.ts';

/** Bytes the receiver allocates: room for Partial verification. A Full update uses one byte less. */
export const PRICE_UPDATE_V2_SIZE = 134;

/** Partial says how many guardian signatures were checked and makes every later field one byte later. */
const verificationLevel = getDiscriminatedUnionCodec([
  ['Partial', getStructCodec([['numSignatures', getU8Codec()]])],
  ['Full', getUnitCodec()],
]);

/** `value = raw × 10^exponent`; times in unix seconds. */
const priceFeedMessage = struct({
  feedId: bytes(32),
  price: i64,
  conf: u64,
  exponent: i32,
  publishTime: i64,
  prevPublishTime: i64,
  emaPrice: i64,
  emaConf: u64,
});

/** One price of the Pyth receiver. Bytes after `postedSlot` are not read: pad to the account's size when writing one. */
export const priceUpdateV2Layout = account('PriceUpdateV2', {
  writeAuthority: pubkey,
  verificationLevel,
  priceMessage: priceFeedMessage,
  postedSlot: u64,
});

export type PriceUpdateV2 = ValueOf<typeof priceUpdateV2Layout>;

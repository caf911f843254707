import { getStructCodec } from '@solana/kit';
import { getU8Codec, getU32Codec, getU64Codec } from '../fixed-offset/number-codecs.ts';
import { getPaddingCodec } from '../padding.ts';

/** When klend last refreshed an account; `stale` is set by whatever moved its funds since. The timestamp exists from 1.25 on, 0 before. */
export function getLastUpdateCodec() {
  return getStructCodec([
    ['slot', getU64Codec()],
    ['stale', getU8Codec()],
    ['priceStatus', getU8Codec()],
    ['padding', getPaddingCodec(2)],
    ['timestamp', getU32Codec()],
  ]);
}

import { getStructCodec, getU8Codec, getU64Codec } from '@solana/kit';
import { getPaddingCodec } from '../padding.ts';

/** When klend last refreshed an account; `stale` is set by whatever moved its funds since. */
export function getLastUpdateCodec() {
  return getStructCodec([
    ['slot', getU64Codec()],
    ['stale', getU8Codec()],
    ['priceStatus', getU8Codec()],
    ['placeholder', getPaddingCodec(6)],
  ]);
}

import { getStructCodec } from '@solana/kit';
import { getU8Codec, getU64Codec } from '../fixed-offset/number-codecs.ts';

export function getLastUpdateCodec() {
  return getStructCodec([
    ['slot', getU64Codec()],
    ['stale', getU8Codec()],
  ]);
}

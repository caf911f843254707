import { getStructCodec, getU8Codec, getU64Codec } from '@solana/kit';

export function getLastUpdateCodec() {
  return getStructCodec([
    ['slot', getU64Codec()],
    ['stale', getU8Codec()],
  ]);
}

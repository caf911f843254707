import type { FixedSizeCodec } from '@solana/kit';
import { getI128Codec } from '../fixed-offset/number-codecs.ts';

/** The program's fixed point: signed 128-bit integer, little endian; value = raw / 2^48. Decoded as the raw integer. */
export function getI80F48Codec(): FixedSizeCodec<number | bigint, bigint, 16> {
  return getI128Codec();
}

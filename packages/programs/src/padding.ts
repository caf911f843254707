import { type FixedSizeCodec, fixCodecSize, getBytesCodec, type ReadonlyUint8Array } from '@solana/kit';

/**
 * Bytes a layout reserves. They are kept and not skipped, because later program versions put fields there: an account
 * that is decoded and encoded again must come back unchanged.
 */
export function getPaddingCodec<TSize extends number>(
  size: TSize,
): FixedSizeCodec<ReadonlyUint8Array, ReadonlyUint8Array, TSize> {
  return fixCodecSize(getBytesCodec(), size);
}

import { type FixedSizeCodec, getBooleanCodec, getStructCodec } from '@solana/kit';
import { getU32Codec } from '../fixed-offset/number-codecs.ts';

/**
 * The token program's option: a four-byte tag and always the room for a value. Clearing one writes the tag only, so what
 * stood there stays: `value` is meaningless unless `isSome`, and is kept to give the same bytes back.
 */
export interface Coption<T> {
  readonly isSome: boolean;
  readonly value: T;
}

export function getCoptionCodec<TFrom, TTo extends TFrom>(
  value: FixedSizeCodec<TFrom, TTo>,
): FixedSizeCodec<Coption<TFrom>, Coption<TTo>> {
  return getStructCodec([
    ['isSome', getBooleanCodec({ size: getU32Codec() })],
    ['value', value],
  ]) as FixedSizeCodec<Coption<TFrom>, Coption<TTo>>;
}

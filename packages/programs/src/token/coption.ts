import { type FixedSizeCodec, getBooleanCodec, getStructCodec, getU32Codec } from '@solana/kit';
import { type FixedType, fixedType } from '#layout/field-types.ts';

/**
 * The token program's option: a four-byte tag and always the room for a value. Clearing one writes the tag only, so what
 * stood there stays: `value` is meaningless unless `isSome`, and is kept to give the same bytes back.
 */
export interface Coption<T> {
  readonly isSome: boolean;
  readonly value: T;
}

export function coption<TFrom, TTo extends TFrom>(
  value: FixedType<TFrom, TTo>,
): FixedType<Coption<TFrom>, Coption<TTo>> {
  const codec = getStructCodec([
    ['isSome', getBooleanCodec({ size: getU32Codec() })],
    ['value', value],
  ]);
  return fixedType(
    codec as unknown as FixedSizeCodec<Coption<TFrom>, Coption<TTo>>,
    (at) => `{ isSome: view.getUint32(${at}, true) === 1, value: ${value.source(`${at} + 4`)} }`,
  );
}

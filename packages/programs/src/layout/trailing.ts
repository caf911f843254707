import {
  type Codec,
  combineCodec,
  createDecoder,
  createEncoder,
  type Decoder,
  type Encoder,
  getEncodedSize,
  type VariableSizeDecoder,
  type VariableSizeEncoder,
} from '@solana/kit';

/**
 * Reads a field that a newer version of a program appended: null where the bytes end before it. Only the last fields of a layout
 * can be trailing.
 */
export function getTrailingDecoder<T>(decoder: Decoder<T>): VariableSizeDecoder<T | null> {
  return createDecoder<T | null>({
    ...maxSizeOf(decoder),
    read: (bytes, offset) => (offset >= bytes.length ? [null, offset] : decoder.read(bytes, offset)),
  });
}

/** Writes such a field, and nothing for null, as the versions before it did. */
function getTrailingEncoder<T>(encoder: Encoder<T>): VariableSizeEncoder<T | null> {
  return createEncoder<T | null>({
    ...maxSizeOf(encoder),
    getSizeFromValue: (value) => (value === null ? 0 : getEncodedSize(value, encoder)),
    write: (value, bytes, offset) => (value === null ? offset : encoder.write(value, bytes, offset)),
  });
}

/** Both ways; the field itself must not be one that can be null. */
export function trailing<TFrom, TTo extends TFrom>(type: Codec<TFrom, TTo>): Codec<TFrom | null, TTo | null> {
  return combineCodec(getTrailingEncoder<TFrom>(type), getTrailingDecoder<TTo>(type));
}

/** A codec is put together only of two halves that agree on the most bytes they take. */
function maxSizeOf(half: { readonly fixedSize?: number; readonly maxSize?: number }): { readonly maxSize?: number } {
  const maxSize = half.fixedSize ?? half.maxSize;
  return maxSize === undefined ? {} : { maxSize };
}

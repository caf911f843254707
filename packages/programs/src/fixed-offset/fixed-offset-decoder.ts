import { createDecoder, type FixedSizeDecoder } from '@solana/kit';

/**
 * A decoder that reads each field where the layout puts it, in place of one that walks a codec's fields. Bytes that are too short or
 * begin otherwise go to the codec, whose error says what is wrong.
 */
export function getFixedOffsetDecoder<T, TSize extends number>(
  discriminator: Uint8Array,
  codec: FixedSizeDecoder<T, TSize>,
  readAt: (view: DataView) => T,
): FixedSizeDecoder<T, TSize> {
  const { fixedSize } = codec;
  const expected = new DataView(discriminator.buffer, discriminator.byteOffset, 8);
  const [high, low] = [expected.getInt32(0), expected.getInt32(4)];
  return createDecoder({
    fixedSize,
    read: (bytes, offset) => {
      if (bytes.length - offset < fixedSize) return codec.read(bytes, offset);
      const view = new DataView(bytes.buffer, bytes.byteOffset + offset, fixedSize);
      const isExpected = view.getInt32(0) === high && view.getInt32(4) === low;
      return isExpected ? [readAt(view), offset + fixedSize] : codec.read(bytes, offset);
    },
  });
}

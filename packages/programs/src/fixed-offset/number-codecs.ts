import {
  combineCodec,
  createDecoder,
  createEncoder,
  type FixedSizeCodec,
  getI16Codec as kitI16,
  getI32Codec as kitI32,
  getI64Codec as kitI64,
  getI128Codec as kitI128,
  getU8Codec as kitU8,
  getU16Codec as kitU16,
  getU32Codec as kitU32,
  getU64Codec as kitU64,
  getU128Codec as kitU128,
  type ReadonlyUint8Array,
} from '@solana/kit';
import { i32At, i64At, i128At, u8At, u16At, u32At, u64At } from './integers.ts';

type NumberCodec<TTo extends number | bigint, TSize extends number> = FixedSizeCodec<number | bigint, TTo, TSize>;

/**
 * Reads and writes a number where it stands. Kit's own codecs copy its bytes into a buffer first, which was a tenth of the local chain's
 * processor time. What does not fit goes to kit's, whose error says what is wrong.
 */
function inPlace<TTo extends number | bigint, TSize extends number>(
  kit: { readonly fixedSize: TSize },
  isSigned: boolean,
  get: (view: DataView, at: number) => TTo,
  set: (view: DataView, at: number, value: number | bigint) => void,
): () => NumberCodec<TTo, TSize> {
  const size = kit.fixedSize;
  const range = 1n << BigInt(8 * size - (isSigned ? 1 : 0));
  const [least, most] = [isSigned ? -range : 0n, range - 1n];
  const slow = kit as unknown as NumberCodec<TTo, TSize>;
  const codec = combineCodec(
    createEncoder<number | bigint, TSize>({
      fixedSize: size,
      write(value, bytes, offset) {
        if (!(value >= least && value <= most) || !fits(bytes, offset, size)) return slow.write(value, bytes, offset);
        set(viewOf(bytes), offset, value);
        return offset + size;
      },
    }),
    createDecoder<TTo, TSize>({
      fixedSize: size,
      read(bytes, offset = 0) {
        if (!fits(bytes, offset, size)) return slow.read(bytes, offset);
        return [get(viewOf(bytes), offset), offset + size];
      },
    }),
  ) as NumberCodec<TTo, TSize>;
  return () => codec;
}

const fits = (bytes: ReadonlyUint8Array, offset: number, size: number): boolean =>
  offset >= 0 && offset + size <= bytes.length;

function viewOf(bytes: ReadonlyUint8Array): DataView {
  return new DataView(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
}

const set64 = (view: DataView, at: number, value: number | bigint): void =>
  view.setBigUint64(at, BigInt.asUintN(64, BigInt(value)), true);
const set128 = (view: DataView, at: number, value: number | bigint): void => {
  set64(view, at, value);
  set64(view, at + 8, BigInt(value) >> 64n);
};

/** Little endian, as all programs store. They take numbers and big integers, and return big integers from 64 bits on, as kit's do. */
export const getU8Codec = inPlace(kitU8(), false, u8At, (view, at, value) => view.setUint8(at, Number(value)));
export const getU16Codec = inPlace(kitU16(), false, u16At, (view, at, value) =>
  view.setUint16(at, Number(value), true),
);
export const getI16Codec = inPlace(
  kitI16(),
  true,
  (view, at) => view.getInt16(at, true),
  (view, at, value) => view.setInt16(at, Number(value), true),
);
export const getU32Codec = inPlace(kitU32(), false, u32At, (view, at, value) =>
  view.setUint32(at, Number(value), true),
);
export const getI32Codec = inPlace(kitI32(), true, i32At, (view, at, value) => view.setInt32(at, Number(value), true));
export const getU64Codec = inPlace(kitU64(), false, u64At, set64);
export const getI64Codec = inPlace(kitI64(), true, i64At, set64);
export const getU128Codec = inPlace(kitU128(), false, (view, at) => BigInt.asUintN(128, i128At(view, at)), set128);
export const getI128Codec = inPlace(kitI128(), true, i128At, set128);

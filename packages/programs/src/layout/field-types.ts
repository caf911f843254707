import {
  type Address,
  type Codec,
  type FixedSizeCodec,
  fixCodecSize,
  getArrayCodec,
  getBooleanCodec,
  getBytesCodec,
  getF32Codec,
  getF64Codec,
  getNullableCodec,
  type ReadonlyUint8Array,
} from '@solana/kit';
import { getAddressCodec } from '#fixed-offset/address-codec.ts';
import {
  getI16Codec,
  getI32Codec,
  getI64Codec,
  getI128Codec,
  getU8Codec,
  getU16Codec,
  getU32Codec,
  getU64Codec,
  getU128Codec,
} from '#fixed-offset/number-codecs.ts';

/** Of a fixed size, and the source text of what reads it out of `view`: the text of its place goes in. */
export interface FixedType<TFrom, TTo extends TFrom = TFrom> extends FixedSizeCodec<TFrom, TTo> {
  readonly source: (place: string) => string;
  /** What it is made of, by name or index. */
  readonly parts?: Readonly<Record<string, Part>>;
}

/** A field of a type: where it begins there, and its own type. */
export interface Part {
  readonly offset: number;
  readonly type: FixedType<unknown>;
}

// biome-ignore lint/suspicious/noExplicitAny: whatever a field holds
export type AnyType = Codec<any, any>;
/** What a type decodes to, and what it encodes. */
export type ValueOf<T> = T extends Codec<infer _TFrom, infer TTo> ? TTo : never;
export type ArgsOf<T> = T extends Codec<infer TFrom, infer _TTo> ? TFrom : never;

export function fixedType<TFrom, TTo extends TFrom>(
  codec: FixedSizeCodec<TFrom, TTo>,
  source: (place: string) => string,
  parts?: Readonly<Record<string, Part>>,
): FixedType<TFrom, TTo> {
  return { ...codec, source, ...(parts && { parts }) };
}

export function isFixedType(type: AnyType): type is FixedType<unknown> {
  return 'source' in type;
}

export const u8 = fixedType(getU8Codec(), (at) => `view.getUint8(${at})`);
export const u16 = fixedType(getU16Codec(), (at) => `view.getUint16(${at}, true)`);
export const i16 = fixedType(getI16Codec(), (at) => `view.getInt16(${at}, true)`);
export const u32 = fixedType(getU32Codec(), (at) => `view.getUint32(${at}, true)`);
export const i32 = fixedType(getI32Codec(), (at) => `view.getInt32(${at}, true)`);
export const u64 = fixedType(getU64Codec(), (at) => `view.getBigUint64(${at}, true)`);
export const i64 = fixedType(getI64Codec(), (at) => `view.getBigInt64(${at}, true)`);
export const u128 = fixedType(getU128Codec(), (at) => `BigInt.asUintN(128, i128At(view, ${at}))`);
export const i128 = fixedType(getI128Codec(), (at) => `i128At(view, ${at})`);
/** The program's fixed point, as the raw integer: value = raw / 2^48. */
export const i80f48 = fixedType(getI128Codec(), i128.source);
export const f32 = fixedType(getF32Codec(), (at) => `view.getFloat32(${at}, true)`);
export const f64 = fixedType(getF64Codec(), (at) => `view.getFloat64(${at}, true)`);
export const bool = fixedType(getBooleanCodec(), (at) => `view.getUint8(${at}) === 1`);
export const pubkey: FixedType<Address> = fixedType(getAddressCodec(), (at) => `addressAt(view, ${at})`);

/** Bytes as they are. What a layout reserves is kept too: an account that is decoded and encoded again comes back unchanged. */
export function bytes(size: number): FixedType<ReadonlyUint8Array> {
  return fixedType(fixCodecSize(getBytesCodec(), size), (at) => `bytesAt(view, ${at}, ${size})`);
}

/** `size` values, one behind the other. */
export function array<TFrom, TTo extends TFrom>(item: FixedType<TFrom, TTo>, size: number): FixedType<TFrom[], TTo[]> {
  const codec = getArrayCodec(item, { size }) as unknown as FixedSizeCodec<TFrom[], TTo[]>;
  const parts = Array.from({ length: size }, (_, nth) => ({
    offset: nth * item.fixedSize,
    type: item as FixedType<unknown>,
  }));
  const source = (at: string) => `[${parts.map(({ offset }) => item.source(`${at} + ${offset}`)).join(', ')}]`;
  return fixedType(codec, source, Object.fromEntries(parts.entries()));
}

/** As many values as four bytes before them say. */
export function vec<TFrom, TTo extends TFrom>(item: Codec<TFrom, TTo>): Codec<TFrom[], TTo[]> {
  return getArrayCodec(item);
}

/** A byte that says whether there is a value: null where there is none. */
export function option<TFrom, TTo extends TFrom>(item: Codec<TFrom, TTo>): Codec<TFrom | null, TTo | null> {
  return getNullableCodec(item);
}

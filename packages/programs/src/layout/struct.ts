import { type Codec, combineCodec, createDecoder, getStructCodec, type ReadonlyUint8Array } from '@solana/kit';
import { addressAt } from '#fixed-offset/addresses.ts';
import { bytesAt } from '#fixed-offset/bytes.ts';
import { i128At } from '#fixed-offset/integers.ts';
import {
  type AnyType,
  type ArgsOf,
  type FixedType,
  fixedType,
  isFixedType,
  type Part,
  type ValueOf,
} from './field-types.ts';

export type Fields = Readonly<Record<string, AnyType>>;
type Values<F extends Fields> = { readonly [K in keyof F]: ValueOf<F[K]> };
type Args<F extends Fields> = { readonly [K in keyof F]: ArgsOf<F[K]> };
type IsFixed<F extends Fields> = F[keyof F] extends { readonly source: unknown } ? true : false;
/** A struct of fixed types is one itself. */
export type Struct<F extends Fields> =
  IsFixed<F> extends true ? FixedType<Args<F>, Values<F>> : Codec<Args<F>, Values<F>>;

type Reader = (view: DataView, at: number) => unknown;

/** What the text of a reader calls, by the name that it has there. Structs add themselves. */
const readers: Record<string, unknown> = { addressAt, bytesAt, i128At };

/** Fields one behind the other, in the order that the object names them. */
export function struct<const F extends Fields>(fields: F): Struct<F> {
  const entries = Object.entries(fields);
  const codec = getStructCodec(entries);
  let size = 0;
  const parts: Record<string, Part> = {};
  for (const [name, type] of entries) {
    // What stands behind this has no place of its own.
    if (!isFixedType(type)) return { ...codec, parts } as unknown as Struct<F>;
    parts[name] = { offset: size, type };
    size += type.fixedSize;
  }
  const name = `struct${Object.keys(readers).length}`;
  const readAt = compile(parts);
  readers[name] = readAt;
  const decoder = createDecoder({
    fixedSize: size,
    read(data: ReadonlyUint8Array, offset: number) {
      // Its error says what is missing.
      if (offset < 0 || data.length - offset < size) return codec.read(data, offset);
      const view = new DataView(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
      return [readAt(view, offset), offset + size];
    },
  });
  return fixedType(combineCodec(codec, decoder as never) as never, (at) => `${name}(view, ${at})`, parts) as Struct<F>;
}

/**
 * A function that reads each field where the layout puts it. Its text is made of the layout, and of nothing else: a literal of fixed
 * offsets is twenty times as fast as a walk over codecs, and written by hand each offset would stand in a second place.
 */
function compile(parts: Readonly<Record<string, Part>>): Reader {
  const properties = Object.entries(parts).map(
    ([name, { offset, type }]) => `${JSON.stringify(name)}: ${type.source(`at + ${offset}`)}`,
  );
  const body = `return (view, at) => ({ ${properties.join(', ')} })`;
  return new Function(...Object.keys(readers), body)(...Object.values(readers)) as Reader;
}

import {
  type AnyType,
  f64,
  i32,
  i64,
  i80f48,
  i128,
  type Listed,
  placeOf,
  pubkey,
  readList,
  u8,
  u16,
  u32,
  u64,
  u128,
  type ValueOf,
} from '@lending/programs';
import type { Address } from '@solana/kit';

/** How a value is read and written where it stands. */
interface Field<T> {
  read(view: DataView, at: number): T;
  write(view: DataView, at: number, value: T): void;
}

const SIGNED_128: Field<bigint> = {
  read: (view, at) => (view.getBigInt64(at + 8, true) << 64n) | view.getBigUint64(at, true),
  write: write128,
};

// biome-ignore lint/suspicious/noExplicitAny: each reads what its type holds
const FIELDS: ReadonlyMap<AnyType, Field<any>> = new Map<AnyType, Field<any>>([
  [u8, { read: (view, at) => view.getUint8(at), write: (view, at, value) => view.setUint8(at, value) }],
  [u16, { read: (view, at) => view.getUint16(at, true), write: (view, at, value) => view.setUint16(at, value, true) }],
  [u32, { read: (view, at) => view.getUint32(at, true), write: (view, at, value) => view.setUint32(at, value, true) }],
  [i32, { read: (view, at) => view.getInt32(at, true), write: (view, at, value) => view.setInt32(at, value, true) }],
  [
    u64,
    { read: (view, at) => view.getBigUint64(at, true), write: (view, at, value) => view.setBigUint64(at, value, true) },
  ],
  [
    i64,
    { read: (view, at) => view.getBigInt64(at, true), write: (view, at, value) => view.setBigInt64(at, value, true) },
  ],
  [
    f64,
    { read: (view, at) => view.getFloat64(at, true), write: (view, at, value) => view.setFloat64(at, value, true) },
  ],
  [i128, SIGNED_128],
  [i80f48, SIGNED_128],
  [
    u128,
    { read: (view, at) => (view.getBigUint64(at + 8, true) << 64n) | view.getBigUint64(at, true), write: write128 },
  ],
  // As bytes: text takes long to make and is seldom needed, see `readAddress`.
  [
    pubkey,
    {
      read: (view, at) => new Uint8Array(view.buffer, view.byteOffset + at, 32),
      write: (view, at, value) => new Uint8Array(view.buffer, view.byteOffset + at, 32).set(value),
    },
  ],
]);

function write128(view: DataView, at: number, value: bigint): void {
  view.setBigUint64(at, BigInt.asUintN(64, value), true);
  view.setBigUint64(at + 8, BigInt.asUintN(64, value >> 64n), true);
}

type PathOf<T extends string> = T extends `${infer Path} as ${string}` ? Path : T;
type LastOf<T extends string> = T extends `${string}.${infer Rest}` ? LastOf<Rest> : T;
type NameOf<T extends string> = T extends `${string} as ${infer Name}` ? Name : LastOf<T>;
type Step<V, Name> = V extends readonly (infer Item)[] ? Item : Name extends keyof V ? V[Name] : never;
type At<V, Path extends string> = Path extends `${infer Name}.${infer Rest}` ? At<Step<V, Name>, Rest> : Step<V, Path>;
type Stored<V> = V extends Address ? Uint8Array : V;

/** An account whose fields are read and written where they stand. */
type View<TLayout, TList extends string> = {
  -readonly [One in Listed<TList> as NameOf<One>]: Stored<At<ValueOf<TLayout>, PathOf<One>>>;
};

/**
 * Makes views of account bytes, as the program itself has them: a field is read when it is asked for, and what is not
 * written stays as it was. Decoding a whole bank takes a hundred times as long, and a health check looks at sixteen.
 * @param list the paths of its fields in the layout; a field is called by the last word, or by what stands after `as`.
 */
export function defineView<TLayout extends AnyType, const TList extends string>(
  layout: TLayout,
  list: TList,
): (data: Uint8Array, base?: number) => View<TLayout, TList> {
  class FieldView {
    readonly view: DataView;
    readonly base: number;

    constructor(data: Uint8Array, base: number) {
      this.view = new DataView(data.buffer, data.byteOffset, data.byteLength);
      this.base = base;
    }
  }
  for (const item of readList(list)) {
    const [path = '', name = path.split('.').at(-1) as string] = item.split(' as ');
    const { offset, type } = placeOf(layout, path);
    const field = FIELDS.get(type);
    if (field === undefined) throw new TypeError(`${path} is not read in place`);
    Object.defineProperty(FieldView.prototype, name, {
      get(this: FieldView) {
        return field.read(this.view, this.base + offset);
      },
      set(this: FieldView, value: unknown) {
        field.write(this.view, this.base + offset, value);
      },
    });
  }
  return (data, base = 0) => new FieldView(data, base) as unknown as View<TLayout, TList>;
}

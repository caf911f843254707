/** One field of an account at its fixed place. */
export interface Field<T> {
  read(view: DataView, base: number): T;
  write(view: DataView, base: number, value: T): void;
}

export function u8(offset: number): Field<number> {
  return {
    read: (view, base) => view.getUint8(base + offset),
    write: (view, base, value) => view.setUint8(base + offset, value),
  };
}

export function u16(offset: number): Field<number> {
  return {
    read: (view, base) => view.getUint16(base + offset, true),
    write: (view, base, value) => view.setUint16(base + offset, value, true),
  };
}

export function u32(offset: number): Field<number> {
  return {
    read: (view, base) => view.getUint32(base + offset, true),
    write: (view, base, value) => view.setUint32(base + offset, value, true),
  };
}

export function i32(offset: number): Field<number> {
  return {
    read: (view, base) => view.getInt32(base + offset, true),
    write: (view, base, value) => view.setInt32(base + offset, value, true),
  };
}

export function u64(offset: number): Field<bigint> {
  return {
    read: (view, base) => view.getBigUint64(base + offset, true),
    write: (view, base, value) => view.setBigUint64(base + offset, value, true),
  };
}

export function i64(offset: number): Field<bigint> {
  return {
    read: (view, base) => view.getBigInt64(base + offset, true),
    write: (view, base, value) => view.setBigInt64(base + offset, value, true),
  };
}

/** As a double, for numbers that are shown and never counted with. */
export function f64(offset: number): Field<number> {
  return {
    read: (view, base) => view.getFloat64(base + offset, true),
    write: (view, base, value) => view.setFloat64(base + offset, value, true),
  };
}

/** The raw 128-bit integer. */
export function i80f48(offset: number): Field<bigint> {
  return {
    read: (view, base) => (view.getBigInt64(base + offset + 8, true) << 64n) | view.getBigUint64(base + offset, true),
    write: (view, base, value) => {
      view.setBigUint64(base + offset, BigInt.asUintN(64, value), true);
      view.setBigInt64(base + offset + 8, value >> 64n, true);
    },
  };
}

/** The 32 bytes of an address, as they stand in the account. Text takes long to make and is seldom needed: `readAddress`. */
export function key(offset: number): Field<Uint8Array> {
  return {
    read: (view, base) => new Uint8Array(view.buffer, view.byteOffset + base + offset, 32),
    write: (view, base, value) => new Uint8Array(view.buffer, view.byteOffset + base + offset, 32).set(value),
  };
}

type ValueOf<TField> = TField extends Field<infer TValue> ? TValue : never;

/** An account whose fields are read and written where they stand. */
export type View<TFields> = { -readonly [TName in keyof TFields]: ValueOf<TFields[TName]> };

/**
 * Makes views of account bytes, as the program itself has them: a field is read when it is asked for, and what is not
 * written stays as it was. Decoding a whole bank takes a hundred times as long, and a health check looks at sixteen.
 */
export function defineView<TFields extends { readonly [TName in keyof TFields]: Field<ValueOf<TFields[TName]>> }>(
  fields: TFields,
): (data: Uint8Array, base?: number) => View<TFields> {
  class FieldView {
    readonly view: DataView;
    readonly base: number;

    constructor(data: Uint8Array, base: number) {
      this.view = new DataView(data.buffer, data.byteOffset, data.byteLength);
      this.base = base;
    }
  }
  for (const [name, field] of Object.entries<Field<unknown>>(fields)) {
    Object.defineProperty(FieldView.prototype, name, {
      get(this: FieldView) {
        return field.read(this.view, this.base);
      },
      set(this: FieldView, value: unknown) {
        field.write(this.view, this.base, value);
      },
    });
  }
  return (data, base = 0) => new FieldView(data, base) as unknown as View<TFields>;
}

import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/** How a value stands behind a field number. */
interface ValueType<T> {
  readonly wireType: WireType;
  write(writer: BinaryWriter, value: T): void;
  read(reader: BinaryReader): T;
  /** What a field without presence is when it is not on the wire, and then it is not written either. */
  isZero(value: T): boolean;
}

/** One field of a message: its number and how often it may be there. */
interface Field<T> {
  readonly number: number;
  initial(): T;
  write(writer: BinaryWriter, value: T): void;
  /** Takes one occurrence; `wireType` is what stood on the wire. */
  read(reader: BinaryReader, wireType: WireType, before: T): T;
}

type Fields<T> = { readonly [K in keyof T]: Field<T[K]> };

export interface MessageType<T> extends ValueType<T> {
  encode(value: T): Uint8Array;
  decode(bytes: Uint8Array): T;
}

function scalar<T>(
  wireType: WireType,
  write: (writer: BinaryWriter, value: T) => unknown,
  read: (reader: BinaryReader) => T,
  isZero: (value: T) => boolean,
): ValueType<T> {
  return { wireType, write: (writer, value) => void write(writer, value), read, isZero };
}

const isNought = (value: number | bigint): boolean => value === 0 || value === 0n;
const isEmpty = (value: { readonly length: number }): boolean => value.length === 0;

export const uint64 = scalar<bigint>(
  WireType.Varint,
  (writer, value) => writer.uint64(value),
  (reader) => BigInt(reader.uint64()),
  isNought,
);
export const int64 = scalar<bigint>(
  WireType.Varint,
  (writer, value) => writer.int64(value),
  (reader) => BigInt(reader.int64()),
  isNought,
);
export const uint32 = scalar<number>(
  WireType.Varint,
  (writer, value) => writer.uint32(value),
  (reader) => reader.uint32(),
  isNought,
);
/** Enumerations, too. */
export const int32 = scalar<number>(
  WireType.Varint,
  (writer, value) => writer.int32(value),
  (reader) => reader.int32(),
  isNought,
);
export const double = scalar<number>(
  WireType.Bit64,
  (writer, value) => writer.double(value),
  (reader) => reader.double(),
  isNought,
);
export const bool = scalar<boolean>(
  WireType.Varint,
  (writer, value) => writer.bool(value),
  (reader) => reader.bool(),
  (value) => !value,
);
export const string = scalar<string>(
  WireType.LengthDelimited,
  (writer, value) => writer.string(value),
  (reader) => reader.string(),
  isEmpty,
);
export const bytes = scalar<Uint8Array>(
  WireType.LengthDelimited,
  (writer, value) => writer.bytes(value),
  // The reader's view would keep the whole message alive.
  (reader) => reader.bytes().slice(),
  isEmpty,
);

/** A field without presence: what it is when nothing is sent has to be given. */
export function plain<T>(number: number, type: ValueType<T>, initial: T): Field<T> {
  return {
    number,
    initial: () => initial,
    write(writer, value) {
      if (!type.isZero(value)) type.write(writer.tag(number, type.wireType), value);
    },
    read: (reader) => type.read(reader),
  };
}

/** A field that is there or not; every message field is one, and each branch of a `oneof`. */
export function optional<T>(number: number, type: ValueType<T>): Field<T | undefined> {
  return {
    number,
    initial: () => undefined,
    write(writer, value) {
      if (value !== undefined) type.write(writer.tag(number, type.wireType), value);
    },
    read: (reader) => type.read(reader),
  };
}

export function repeated<T>(number: number, type: ValueType<T>): Field<readonly T[]> {
  return {
    number,
    initial: () => [],
    write(writer, values) {
      for (const value of values) type.write(writer.tag(number, type.wireType), value);
    },
    read: (reader, _, before) => [...before, type.read(reader)],
  };
}

/** Numbers as proto3 packs them: all behind one tag. One by one is read, too. */
export function packed<T>(number: number, type: ValueType<T>): Field<readonly T[]> {
  return {
    number,
    initial: () => [],
    write(writer, values) {
      if (values.length === 0) return;
      writer.tag(number, WireType.LengthDelimited).fork();
      for (const value of values) type.write(writer, value);
      writer.join();
    },
    read(reader, wireType, before) {
      if (wireType !== WireType.LengthDelimited) return [...before, type.read(reader)];
      const values = [...before];
      const end = reader.uint32() + reader.pos;
      while (reader.pos < end) values.push(type.read(reader));
      return values;
    },
  };
}

/** A map with text keys: on the wire, entries with the key at 1 and the value at 2. */
export function keyed<T>(number: number, type: MessageType<T>): Field<ReadonlyMap<string, T>> {
  const entry = message({ key: plain(1, string, ''), value: optional(2, type) });
  return {
    number,
    initial: () => new Map(),
    write(writer, values) {
      for (const [key, value] of values) entry.write(writer.tag(number, entry.wireType), { key, value });
    },
    read(reader, _, before) {
      const { key, value } = entry.read(reader);
      return new Map(before).set(key, value ?? type.decode(new Uint8Array()));
    },
  };
}

/** A message by its fields; what it does not name is skipped when read. */
export function message<T extends object>(fields: Fields<T>): MessageType<T> {
  const named = Object.entries(fields) as unknown as readonly (readonly [string, Field<unknown>])[];
  const byNumber = new Map(named.map(([name, field]) => [field.number, { name, field }]));

  function writeFields(writer: BinaryWriter, value: T): BinaryWriter {
    for (const [name, field] of named) field.write(writer, (value as Readonly<Record<string, unknown>>)[name]);
    return writer;
  }

  function readFields(reader: BinaryReader, end: number): T {
    const value = Object.fromEntries(named.map(([name, field]) => [name, field.initial()]));
    while (reader.pos < end) {
      const [number, wireType] = reader.tag();
      const known = byNumber.get(number);
      if (known === undefined) reader.skip(wireType, number);
      else value[known.name] = known.field.read(reader, wireType, value[known.name]);
    }
    return value as T;
  }

  return {
    wireType: WireType.LengthDelimited,
    isZero: () => false,
    write: (writer, value) => void writeFields(writer.fork(), value).join(),
    read(reader) {
      const length = reader.uint32();
      return readFields(reader, reader.pos + length);
    },
    encode: (value) => writeFields(new BinaryWriter(), value).finish(),
    decode: (encoded) => readFields(new BinaryReader(encoded), encoded.length),
  };
}

/** What a message type carries. */
export type MessageOf<M> = M extends MessageType<infer T> ? T : never;

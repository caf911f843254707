import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { LendingError } from '@lending/errors';
import { JOB_ENUMS, JOB_MESSAGES } from './job-fields.ts';

interface Field {
  readonly number: number;
  readonly type: string;
  readonly isList: boolean;
}

/** How deep jobs may hold jobs. */
const MAX_DEPTH = 24;

/**
 * One job of a feed as the oracles take it: protobuf with its length before it. The order of the fields is that of their numbers, because the
 * feed's hash is over these bytes.
 * @throws DECODE__VALUE_OUT_OF_RANGE on a field or a value that the format does not have: the oracles would be asked for something else.
 */
export function encodeJob(job: unknown): Uint8Array {
  const writer = new BinaryWriter().fork();
  writeMessage(writer, 'OracleJob', job, 0);
  return writer.join().finish();
}

function writeMessage(writer: BinaryWriter, message: string, value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) throw malformed(message);
  const fields = fieldsOf(message);
  const given = Object.entries(value).filter(([, content]) => content !== null && content !== undefined);
  const known = given.map(([name, content]) => ({
    name,
    content: content as unknown,
    field: fields.get(name) ?? fail(`${message}.${name}`),
  }));
  for (const { name, content, field } of known.toSorted((a, b) => a.field.number - b.field.number)) {
    const path = `${message}.${name}`;
    if (field.isList && !Array.isArray(content)) throw malformed(path);
    const values: readonly unknown[] = field.isList ? (content as unknown[]) : [content];
    for (const one of values) writeField(writer, path, field, one, depth);
  }
}

function writeField(writer: BinaryWriter, path: string, { number, type }: Field, value: unknown, depth: number): void {
  switch (type) {
    case 'string':
      if (typeof value !== 'string') throw malformed(path);
      writer.tag(number, WireType.LengthDelimited).string(value);
      break;
    case 'bool':
      if (typeof value !== 'boolean') throw malformed(path);
      writer.tag(number, WireType.Varint).bool(value);
      break;
    case 'double':
      writer.tag(number, WireType.Bit64).double(toNumber(path, value));
      break;
    case 'int32':
      writer.tag(number, WireType.Varint).int32(toNumber(path, value));
      break;
    case 'uint32':
      writer.tag(number, WireType.Varint).uint32(toNumber(path, value));
      break;
    case 'enum':
      writer.tag(number, WireType.Varint).int32(toEnum(path, value));
      break;
    default:
      writer.tag(number, WireType.LengthDelimited).fork();
      writeMessage(writer, type, value, depth + 1);
      writer.join();
  }
}

/** JSON may have a number as text. */
function toNumber(path: string, value: unknown): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) throw malformed(path);
  return number;
}

function toEnum(path: string, value: unknown): number {
  if (typeof value !== 'string') return toNumber(path, value);
  return JOB_ENUMS[path]?.[value] ?? fail(path);
}

const parsed = new Map<string, ReadonlyMap<string, Field>>();

function fieldsOf(message: string): ReadonlyMap<string, Field> {
  const known = parsed.get(message);
  if (known !== undefined) return known;
  const texts = (JOB_MESSAGES[message] ?? '').split(/\s+/).filter((text) => text !== '');
  const fields = new Map(
    texts.map((text): [string, Field] => {
      const [name = '', number, type = ''] = text.split(':');
      return [name, { number: Number(number), type: type.replace('[]', ''), isList: type.endsWith('[]') }];
    }),
  );
  parsed.set(message, fields);
  return fields;
}

function fail(path: string): never {
  throw malformed(path);
}

function malformed(path: string): LendingError {
  return new LendingError('DECODE__VALUE_OUT_OF_RANGE', { context: { field: `job ${path}` } });
}

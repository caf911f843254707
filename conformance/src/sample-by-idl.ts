import { randomBytes, randomInt } from 'node:crypto';
import { type Address, getAddressDecoder } from '@solana/kit';
import { bodyOf, type Idl, type IdlField, type IdlType } from './idl.ts';

/** Bytes of some type, and the value a codec must read from them. */
export interface Sample {
  readonly bytes: Uint8Array;
  readonly value: unknown;
}

const INTEGER_BITS: Readonly<Record<string, number>> = { 8: 1, 16: 2, 32: 4, 64: 8, 128: 16 };

/** Reserved room. Codecs keep it as plain bytes under the IDL's own name, whatever the IDL calls its elements. */
function isPadding(name: string): boolean {
  return /^_|^pad(ding)?\d*$|(Padding|_padding)$|^reserved\d*$/.test(name);
}

/** A field's name in our spelling. */
export function codecName(idlName: string): string {
  return isPadding(idlName) ? idlName : idlName.replaceAll(/_([a-z0-9])/g, (_, char: string) => char.toUpperCase());
}

/**
 * Random bytes laid out as the IDL says, with the value they mean. Random leaves are what finds a difference: two fields
 * swapped, a wrong width or a lost sign all read back as something else.
 */
export function sampleFields(idl: Idl, fields: readonly IdlField[]): Sample {
  const parts = fields.map(({ name, type }) => {
    const sample = isFloatsAsBytes(name, type) ? sampleArray(idl, 'f64', 16) : sampleType(idl, type);
    return [codecName(name), isPadding(name) ? { ...sample, value: sample.bytes } : sample] as const;
  });
  return {
    bytes: join(parts.map(([, sample]) => sample.bytes)),
    value: Object.fromEntries(parts.map(([name, sample]) => [name, sample.value])),
  };
}

/** Sixteen prices of a health cache: eight bytes each to the IDL, and floats to the program. */
function isFloatsAsBytes(name: string, type: IdlType): boolean {
  return name === 'prices' && JSON.stringify(type) === '{"array":[{"array":["u8",8]},16]}';
}

function sampleType(idl: Idl, type: IdlType): Sample {
  if (typeof type === 'string') return sampleLeaf(type);
  if ('array' in type) return sampleArray(idl, ...type.array);
  if ('option' in type) return sampleOption(idl, type.option);
  if ('vec' in type) return sampleVec(idl, type.vec);
  if ('defined' in type) return sampleDefined(idl, typeof type.defined === 'string' ? type.defined : type.defined.name);
  throw new Error(`no layout here uses ${JSON.stringify(type)}; teach the sampler when one does`);
}

function sampleLeaf(type: string): Sample {
  if (type === 'pubkey' || type === 'publicKey') return samplePubkey();
  if (type === 'f32') return sampleFloat();
  if (type === 'f64') return sampleDouble();
  if (type === 'bool') return sampleBoolean();
  const size = INTEGER_BITS[type.slice(1)];
  if (size === undefined || !/^[ui]/.test(type)) throw new Error(`no layout here uses ${type}`);
  const bytes = randomBytes(size);
  const unsigned = BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
  const wide = type.startsWith('i') ? BigInt.asIntN(size * 8, unsigned) : unsigned;
  return { bytes, value: size > 4 ? wide : Number(wide) };
}

function sampleOption(idl: Idl, item: IdlType): Sample {
  if (randomInt(2) === 0) return { bytes: Uint8Array.of(0), value: null };
  const some = sampleType(idl, item);
  return { bytes: join([Uint8Array.of(1), some.bytes]), value: some.value };
}

/** Four bytes of length before the items. */
function sampleVec(idl: Idl, item: IdlType): Sample {
  const items = sampleArray(idl, item, randomInt(4));
  const length = Buffer.alloc(4);
  length.writeUInt32LE((items.value as ArrayLike<unknown>).length);
  return { bytes: join([length, items.bytes]), value: items.value };
}

function sampleArray(idl: Idl, item: IdlType, length: number): Sample {
  const items = Array.from({ length }, () => sampleType(idl, item));
  const bytes = join(items.map((each) => each.bytes));
  return { bytes, value: item === 'u8' ? bytes : items.map((each) => each.value) };
}

/** `WrappedI80F48` is sixteen bytes to the IDL and a signed 128-bit integer to the program. */
function sampleDefined(idl: Idl, name: string): Sample {
  if (name === 'WrappedI80F48') return sampleLeaf('i128');
  const body = bodyOf(idl, name);
  if (body.kind === 'struct') return sampleFields(idl, body.fields);
  const index = randomInt(body.variants.length);
  const variant = body.variants[index];
  const tag = Uint8Array.of(index);
  if (body.variants.every((each) => each.fields === undefined)) return { bytes: tag, value: index };
  const rest = sampleFields(idl, variant?.fields ?? []);
  return { bytes: join([tag, rest.bytes]), value: { __kind: variant?.name, ...(rest.value as object) } };
}

function samplePubkey(): Sample {
  const bytes = randomBytes(32);
  return { bytes, value: getAddressDecoder().decode(bytes) satisfies Address };
}

/** Not a NaN: their payloads need not survive a round trip. */
function sampleFloat(): Sample {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setFloat32(0, randomInt(1_000_000) / 7, true);
  return { bytes, value: new DataView(bytes.buffer).getFloat32(0, true) };
}

function sampleDouble(): Sample {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(randomInt(1_000_000) / 7 - 50_000);
  return { bytes, value: bytes.readDoubleLE() };
}

function sampleBoolean(): Sample {
  const bit = randomInt(2);
  return { bytes: Uint8Array.of(bit), value: bit === 1 };
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}

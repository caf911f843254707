import { slotsOf } from '@lending/programs';
import { type Codec, getConstantCodec, getHiddenPrefixCodec } from '@solana/kit';
import type { EventClaim, InstructionClaim } from './claims.ts';
import {
  bodyOf,
  codecName,
  discriminatorOf,
  eventDiscriminatorOf,
  type Idl,
  type IdlField,
  instructionOf,
  sampleFields,
  versionOfIdl,
} from './idl.ts';

/** Enough draws that a sign bit is set, and every variant of a small enum chosen, in some of them. */
const DRAWS = 24;

interface CodecUnderTest {
  readonly codec: Codec<unknown>;
  readonly idl: Idl;
  readonly account: string;
  /** Set only where the IDL itself is known to be wrong; the value is what accounts on the chain start with. */
  readonly discriminator?: Uint8Array;
}

/**
 * How a codec differs from its program's IDL: discriminator, field order and names, types, signs and sizes. Empty when
 * it does not. Bytes are laid out by the IDL alone, so nothing of the codec vouches for itself.
 */
export function differencesFromIdl({ codec, idl, account, discriminator }: CodecUnderTest): string[] {
  const body = bodyOf(idl, account);
  if (body.kind !== 'struct') return [`${account} is not a struct`];
  return differencesFromFields({
    codec,
    idl,
    discriminator: discriminator ?? discriminatorOf(idl, account),
    fields: body.fields,
  });
}

interface FieldsUnderTest {
  /** Reads and writes the discriminator too. */
  readonly codec: Codec<unknown>;
  readonly idl: Idl;
  readonly discriminator: Uint8Array;
  readonly fields: readonly IdlField[];
  /** Fields that the codec knows and these bytes end before: they must read as null. */
  readonly absent?: readonly string[];
  /** False where the codec writes a field that these bytes lack. Default: bytes are written as they were read. */
  readonly isRoundTrip?: boolean;
}

/** The same for any sequence of fields behind a discriminator: an instruction's arguments, an event. */
function differencesFromFields(claim: FieldsUnderTest): string[] {
  const absent = Object.fromEntries((claim.absent ?? []).map((name) => [name, null]));
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const sample = sampleFields(claim.idl, claim.fields);
    const bytes = Uint8Array.from(Buffer.concat([claim.discriminator, sample.bytes]));
    const expected = { ...(sample.value as object), ...absent };
    const differences = compare(claim.codec, bytes, expected, claim.isRoundTrip ?? true);
    if (differences.length > 0) return differences;
  }
  return [];
}

function compare(codec: Codec<unknown>, bytes: Uint8Array, expected: unknown, isRoundTrip: boolean): string[] {
  let decoded: unknown;
  try {
    decoded = codec.decode(bytes);
  } catch (error) {
    return [`it cannot decode what the IDL describes: ${String(error)}`];
  }
  const [want, have] = [leaves(expected), leaves(decoded)];
  const at = want.findIndex((leaf, index) => leaf !== have[index]);
  if (at >= 0) return [`the IDL has ${want[at]}, the codec ${have[at] ?? 'nothing'}`];
  if (have.length > want.length) return [`the codec has ${have[want.length]}, the IDL nothing`];
  if (!isRoundTrip) return [];
  const encoded = codec.encode(decoded);
  if (Buffer.compare(Buffer.from(encoded), Buffer.from(bytes)) !== 0) {
    return [`${encoded.length} bytes are encoded from ${bytes.length} decoded, or others than those`];
  }
  return [];
}

/** Every leaf as `path = value`, in order. Integers of 64 bits and more carry an `n`, so that widths cannot be confused. */
function leaves(value: unknown, path = ''): string[] {
  if (value instanceof Uint8Array) return [`${path} = 0x${Buffer.from(value).toString('hex')}`];
  if (typeof value === 'bigint') return [`${path} = ${value}n`];
  if (typeof value !== 'object' || value === null) return [`${path} = ${String(value)}`];
  return Object.entries(value).flatMap(([key, item]) => leaves(item, `${path}.${key}`));
}

/** How an instruction differs from its IDL: discriminator, accounts in order with their flags, arguments. */
export function instructionDifferences(claim: InstructionClaim, idl: Idl): string[] {
  const declared = instructionOf(idl, claim.layout.name);
  const want = declared.accounts.map(({ name, writable, signer, optional }) =>
    describeSlot(codecName(name), writable, signer, optional),
  );
  const have = slotsOf(claim.layout, versionOfIdl(claim.idl)).map(({ name, isWritable, isSigner, isOptional }) =>
    describeSlot(name, isWritable, isSigner, isOptional),
  );
  const at = want.findIndex((slot, index) => slot !== have[index]);
  if (at >= 0) return [`the IDL has account ${want[at]}, the layout ${have[at] ?? 'nothing'}`];
  if (have.length > want.length) return [`the layout has account ${have[want.length]}, the IDL nothing`];
  return bodyDifferences({
    codec: claim.layout.args as Codec<unknown>,
    own: claim.layout.discriminator,
    idl,
    discriminator: Uint8Array.from(declared.discriminator),
    fields: claim.args ?? declared.args,
    appended: claim.appended ?? [],
    // An argument that a newer program needs is written for older ones too, which do not read that far.
    isShortWritten: claim.appended === undefined,
  });
}

/** How an event differs from its IDL: discriminator and fields, with and without what a newer version appended. */
export function eventDifferences(claim: EventClaim, idl: Idl): string[] {
  return bodyDifferences({
    codec: claim.layout.fields as Codec<unknown>,
    own: claim.layout.discriminator,
    idl,
    discriminator: eventDiscriminatorOf(idl, claim.layout.name),
    fields: claim.fields ?? fieldsOf(idl, claim.layout.name),
    appended: claim.appended ?? [],
    isShortWritten: true,
  });
}

interface Body {
  readonly codec: Codec<unknown>;
  readonly own: Uint8Array;
  readonly idl: Idl;
  readonly discriminator: Uint8Array;
  readonly fields: readonly IdlField[];
  readonly appended: readonly IdlField[];
  readonly isShortWritten: boolean;
}

function bodyDifferences({ own, codec, fields, appended, isShortWritten, ...rest }: Body): string[] {
  const whole = { ...rest, codec: getHiddenPrefixCodec(codec, [getConstantCodec(own)]) as Codec<unknown> };
  const long = differencesFromFields({ ...whole, fields: [...fields, ...appended] });
  if (long.length > 0 || appended.length === 0) return long;
  const absent = appended.map((field) => codecName(field.name));
  return differencesFromFields({ ...whole, fields, absent, isRoundTrip: isShortWritten });
}

function fieldsOf(idl: Idl, event: string): readonly IdlField[] {
  const body = bodyOf(idl, event);
  if (body.kind !== 'struct') throw new Error(`${event} is not a struct`);
  return body.fields;
}

function describeSlot(name: string, isWritable = false, isSigner = false, isOptional = false): string {
  return [name, isWritable && 'writable', isSigner && 'signer', isOptional && 'optional'].filter(Boolean).join(' ');
}

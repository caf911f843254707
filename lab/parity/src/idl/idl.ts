import { createHash, randomBytes, randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { PROGRAM_VERSIONS, type ProgramVersion } from '@lending/programs';
import { type Address, getAddressDecoder } from '@solana/kit';
import { FIXTURES } from '../config.ts';

/** A type as either generation of Anchor IDL writes it. */
type IdlType =
  | string
  | { readonly array: readonly [IdlType, number] }
  | { readonly option: IdlType }
  | { readonly vec: IdlType }
  | { readonly defined: string | { readonly name: string } };

export interface IdlField {
  readonly name: string;
  readonly type: IdlType;
}

type IdlBody =
  | { readonly kind: 'struct'; readonly fields: readonly IdlField[] }
  | {
      readonly kind: 'enum';
      readonly variants: readonly { readonly name: string; readonly fields?: readonly IdlField[] }[];
    };

interface IdlDefinition {
  readonly name: string;
  readonly type?: IdlBody;
  readonly discriminator?: readonly number[];
}

interface IdlSlot {
  readonly name: string;
  readonly writable?: boolean;
  readonly signer?: boolean;
  readonly optional?: boolean;
}

interface IdlInstruction {
  readonly name: string;
  readonly discriminator: readonly number[];
  readonly accounts: readonly IdlSlot[];
  readonly args: readonly IdlField[];
}

/** An account as the older generation has it; a group of them has accounts of its own, which stand in its place. */
type OlderIdlSlot =
  | { readonly name: string; readonly accounts: readonly OlderIdlSlot[] }
  | { readonly name: string; readonly isMut: boolean; readonly isSigner: boolean; readonly isOptional?: boolean };

/** The older generation: names in camel case, and the discriminator left to Anchor's rule. */
interface OlderIdlInstruction {
  readonly name: string;
  readonly accounts: readonly OlderIdlSlot[];
  readonly args: readonly IdlField[];
}

interface IdlError {
  readonly code: number;
  readonly name: string;
  readonly msg?: string;
}

/** A program's own description of its bytes. */
export interface Idl {
  readonly instructions?: readonly (IdlInstruction | OlderIdlInstruction)[];
  readonly events?: readonly IdlDefinition[];
  readonly errors?: readonly IdlError[];
  readonly accounts: readonly IdlDefinition[];
  readonly types: readonly IdlDefinition[];
}

function readIdl(path: string): Idl {
  return JSON.parse(readFileSync(path, 'utf8')) as Idl;
}

/** The body of a type or account. Older IDLs keep an account's body with the account, newer ones among the types. */
export function bodyOf(idl: Idl, name: string): IdlBody {
  const found = [...idl.types, ...idl.accounts].find((entry) => entry.name === name && entry.type !== undefined);
  if (found?.type === undefined) throw new Error(`the IDL has no type ${name}`);
  return found.type;
}

/** What an account starts with. Older IDLs leave it to Anchor's rule: a hash of the name in PascalCase. */
export function discriminatorOf(idl: Idl, account: string): Uint8Array {
  const found = idl.accounts.find((entry) => entry.name === account);
  if (found === undefined) throw new Error(`the IDL has no account ${account}`);
  if (found.discriminator !== undefined) return Uint8Array.from(found.discriminator);
  const pascal = account.charAt(0).toUpperCase() + account.slice(1);
  return createHash('sha256').update(`account:${pascal}`).digest().subarray(0, 8);
}

/** An instruction by its name in snake case, in the newer generation's words whichever the IDL is of. */
export function instructionOf(idl: Idl, name: string): IdlInstruction {
  const camel = name.replaceAll(/_([a-z0-9])/g, (_, char: string) => char.toUpperCase());
  const found = idl.instructions?.find((each) => each.name === ('discriminator' in each ? name : camel));
  if (found === undefined) throw new Error(`the IDL has no instruction ${name}`);
  if ('discriminator' in found) return found;
  const discriminator = [...createHash('sha256').update(`global:${name}`).digest().subarray(0, 8)];
  return { name, discriminator, accounts: found.accounts.flatMap(newerSlots), args: found.args };
}

function newerSlots(slot: OlderIdlSlot): readonly IdlSlot[] {
  if ('accounts' in slot) return slot.accounts.flatMap(newerSlots);
  return [{ name: slot.name, writable: slot.isMut, signer: slot.isSigner, optional: slot.isOptional ?? false }];
}

/** What an event starts with: Anchor's rule, a hash of its name, unless the IDL says. */
export function eventDiscriminatorOf(idl: Idl, event: string): Uint8Array {
  const declared = idl.events?.find((each) => each.name === event)?.discriminator;
  if (declared !== undefined) return Uint8Array.from(declared);
  return createHash('sha256').update(`event:${event}`).digest().subarray(0, 8);
}

/** Fields that a version newer than the published IDL put where it reserves room. */
export interface Addition {
  readonly type: string;
  /** The reserved field that they replace. */
  readonly padding: string;
  readonly fields: readonly IdlField[];
  /** What the fields are made of, where the IDL does not know it. */
  readonly types?: Idl['types'];
}

/** The IDL as the newer version would publish it. */
export function withAdditions(idl: Idl, additions: readonly Addition[]): Idl {
  return additions.reduce(withAddition, idl);
}

function withAddition(idl: Idl, { type, padding, fields, types = [] }: Addition): Idl {
  const body = bodyOf(idl, type);
  const at = body.kind === 'struct' ? body.fields.findIndex((field) => field.name === padding) : -1;
  if (body.kind !== 'struct' || at < 0) throw new Error(`${type} reserves no room as ${padding}`);
  const newer = { name: type, type: { kind: 'struct', fields: body.fields.toSpliced(at, 1, ...fields) } } as const;
  return { ...idl, types: [newer, ...types, ...idl.types.filter((each) => each.name !== type)] };
}

/** The IDL whose account stops before the fields at its end. */
export function withoutEnd(idl: Idl, account: string, unread: readonly string[]): Idl {
  if (unread.length === 0) return idl;
  const body = bodyOf(idl, account);
  if (body.kind !== 'struct') throw new Error(`${account} is not a struct`);
  const end = body.fields.slice(-unread.length).map(({ name }) => name);
  if (end.join() !== unread.join()) throw new Error(`${account} ends with ${end.join()}`);
  const shorter = { name: account, type: { kind: 'struct', fields: body.fields.slice(0, -unread.length) } } as const;
  return { ...idl, types: [shorter, ...idl.types.filter((each) => each.name !== account)] };
}

/**
 * The version of the lending program that an IDL is of; another program's has one list of accounts, whatever it says.
 * @throws TypeError for a version that is none of the releases', and not older than the first.
 */
export function versionOfIdl(file: string): ProgramVersion {
  const [, name = '0.1.0'] = /^marginfi@([0-9.]+\d)/.exec(file) ?? [];
  const version = PROGRAM_VERSIONS.find((each) => each === name);
  if (version === undefined && !/^0\.1\.[0-6]$/.test(name))
    throw new TypeError(`No release ${name}, of which ${file} is`);
  return version ?? '0.1.7';
}

/** Bytes of some type, and the value a codec must read from them. */
interface Sample {
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

/** A published IDL by the name of its file. */
export const idlAt = (file: string): Idl => readIdl(resolve(FIXTURES, 'idl', file));

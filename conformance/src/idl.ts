import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { PROGRAM_VERSIONS, type ProgramVersion } from '@lending/programs';

/** A type as either generation of Anchor IDL writes it. */
export type IdlType =
  | string
  | { readonly array: readonly [IdlType, number] }
  | { readonly option: IdlType }
  | { readonly vec: IdlType }
  | { readonly defined: string | { readonly name: string } };

export interface IdlField {
  readonly name: string;
  readonly type: IdlType;
}

export type IdlBody =
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

export interface IdlInstruction {
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

export interface IdlError {
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

export function readIdl(path: string): Idl {
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

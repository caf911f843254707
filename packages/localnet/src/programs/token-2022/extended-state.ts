import { readU16, writeU16 } from '#engine/bytes.ts';
import { InstructionError } from '#engine/instruction-error.ts';
import { tokenError } from '../token/token-error.ts';
import { ACCOUNT, MINT, MULTISIG, STATE } from '../token/token-state.ts';
import {
  ACCOUNT_TYPE,
  type BaseKind,
  baseOfExtension,
  EXTENSION,
  isKnownExtension,
  sizeOfExtension,
} from './extension-type.ts';

/** An extended account has the account type behind the size of a token account, mints too; extensions follow. */
const TYPE_OFFSET = ACCOUNT.size;
export const EXTENSIONS_START = TYPE_OFFSET + 1;
/** Bytes in front of an extension's value: its type and its length. */
const HEADER = 4;

/** Place of an extension's value. */
export interface ExtensionRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Checks that the data is an initialised account or mint, extensions or not.
 * @throws InstructionError
 */
export function assertUnpacks(data: Uint8Array, kind: BaseKind): void {
  assertLength(data, kind);
  if (!isInitialized(data, kind)) throw new InstructionError('UninitializedAccount');
  if (accountTypeOf(data, kind) !== ACCOUNT_TYPE[kind]) throw new InstructionError('InvalidAccountData');
}

/** Checks that the data is unused and of a size that may become an account or mint. */
export function assertUnpacksUninitialized(data: Uint8Array, kind: BaseKind): void {
  assertLength(data, kind);
  if (isInitialized(data, kind)) throw tokenError('alreadyInUse');
  const isPlain = data.length === baseSize(kind);
  if (!isPlain && accountTypeOf(data, kind) !== ACCOUNT_TYPE.uninitialized) {
    throw new InstructionError('InvalidAccountData');
  }
  assertFirstExtensionOf(data, kind);
}

export function isUnpackable(data: Uint8Array, kind: BaseKind): boolean {
  try {
    assertUnpacks(data, kind);
    return true;
  } catch {
    return false;
  }
}

function baseSize(kind: BaseKind): number {
  return kind === 'mint' ? MINT.size : ACCOUNT.size;
}

/** Marks the data as what it became. Plain accounts have no room for the mark and need none. */
export function setAccountType(data: Uint8Array, kind: BaseKind): void {
  assertFirstExtensionOf(data, kind);
  if (data.length > baseSize(kind)) data[TYPE_OFFSET] = ACCOUNT_TYPE[kind];
}

/** Extension types in the order they stand. @throws InstructionError `InvalidAccountData` */
export function listExtensions(data: Uint8Array): number[] {
  const types: number[] = [];
  let offset = EXTENSIONS_START;
  while (offset < data.length) {
    if (data.length < offset + 2) break;
    const type = readKnownType(data, offset);
    if (type === EXTENSION.uninitialized) break;
    const end = offset + HEADER + (data.length < offset + HEADER ? 0 : readU16(data, offset + 2));
    if (data.length < offset + HEADER || end > data.length) throw new InstructionError('InvalidAccountData');
    types.push(type);
    offset = end;
  }
  return types;
}

/** Where an extension's value stands, or undefined where the account has none. */
export function findExtension(data: Uint8Array, type: number): ExtensionRange | undefined {
  try {
    return getExtension(data, type);
  } catch (error) {
    if (error instanceof InstructionError) return undefined;
    throw error;
  }
}

/** @throws InstructionError when it is not there, as the program reports it. */
export function getExtension(data: Uint8Array, type: number): ExtensionRange {
  const offset = seekExtension(data, type, false);
  const start = offset + HEADER;
  const end = start + readU16(data, offset + 2);
  if (end > data.length) throw new InstructionError('InvalidAccountData');
  if (sizeOfExtension(type) !== end - start) throw new InstructionError('InvalidArgument');
  return { start, end };
}

export function hasExtension(data: Uint8Array, type: number): boolean {
  return findExtension(data, type) !== undefined;
}

/** Makes room for an extension, or takes the room it has, and zeroes it. */
export function initializeExtension(data: Uint8Array, type: number, kind: BaseKind): ExtensionRange {
  if (baseOfExtension(type) !== kind) throw new InstructionError('InvalidAccountData');
  const size = sizeOfExtension(type) ?? 0;
  const offset = seekExtension(data, type, true);
  if (data.length - offset < HEADER + size) throw new InstructionError('InvalidAccountData');
  const isThere = readKnownType(data, offset) === type;
  if (isThere && readU16(data, offset + 2) !== size) throw tokenError('invalidLengthForAlloc');
  writeU16(data, offset, type);
  writeU16(data, offset + 2, size);
  const start = offset + HEADER;
  data.fill(0, start, start + size);
  return { start, end: start + size };
}

/** Bytes an account or mint with these extensions has. A length that a multisig has is avoided. */
export function computeLength(types: readonly number[], kind: BaseKind): number {
  const distinct = new Set(types);
  if (distinct.size === 0) return baseSize(kind);
  let length = EXTENSIONS_START;
  for (const type of distinct) {
    const size = sizeOfExtension(type);
    if (size === undefined) throw new InstructionError('InvalidArgument');
    length += HEADER + size;
  }
  return length === MULTISIG.size ? length + 2 : length;
}

function seekExtension(data: Uint8Array, type: number, mayBeNew: boolean): number {
  let offset = EXTENSIONS_START;
  while (offset < data.length) {
    if (data.length < offset + HEADER) throw new InstructionError('InvalidAccountData');
    const found = readU16(data, offset);
    if (found === type) return offset;
    if (found === EXTENSION.uninitialized) {
      if (mayBeNew) return offset;
      throw tokenError('extensionNotFound');
    }
    offset += HEADER + readU16(data, offset + 2);
  }
  throw new InstructionError('InvalidAccountData');
}

function assertLength(data: Uint8Array, kind: BaseKind): void {
  if (data.length === MULTISIG.size || data.length < baseSize(kind)) throw new InstructionError('InvalidAccountData');
}

function isInitialized(data: Uint8Array, kind: BaseKind): boolean {
  if (kind === 'mint') return data[MINT.isInitialized] !== 0;
  return data[ACCOUNT.state] === STATE.initialized || data[ACCOUNT.state] === STATE.frozen;
}

/** The type byte; for data of the plain size, the type it is bound to have. */
function accountTypeOf(data: Uint8Array, kind: BaseKind): number {
  const size = baseSize(kind);
  if (data.length === size) return ACCOUNT_TYPE[kind];
  if (data.length < EXTENSIONS_START) throw new InstructionError('InvalidAccountData');
  if (data.subarray(size, TYPE_OFFSET).some((byte) => byte !== 0)) throw new InstructionError('InvalidAccountData');
  const type = data[TYPE_OFFSET] ?? 0;
  if (type > ACCOUNT_TYPE.account) throw new InstructionError('InvalidAccountData');
  return type;
}

function assertFirstExtensionOf(data: Uint8Array, kind: BaseKind): void {
  if (data.length <= EXTENSIONS_START + 2) return;
  const type = readKnownType(data, EXTENSIONS_START);
  if (type !== EXTENSION.uninitialized && baseOfExtension(type) !== kind) throw tokenError('extensionBaseMismatch');
}

function readKnownType(data: Uint8Array, offset: number): number {
  const type = readU16(data, offset);
  if (!isKnownExtension(type)) throw new InstructionError('InvalidAccountData');
  return type;
}

import { readU32 } from '#engine/bytes.ts';
import { InstructionError } from '#engine/instruction-error.ts';
import { TAG_BYTES } from '../token/token-state.ts';

/** Token-2022 reads the whole four-byte tag, and zeroes the value when it clears one. */
export function isSome(data: Uint8Array, offset: number): boolean {
  return readU32(data, offset) === 1;
}

export function isNone(data: Uint8Array, offset: number): boolean {
  return readU32(data, offset) === 0;
}

/** The value behind a tag, or undefined. */
export function optionalKey(data: Uint8Array, offset: number): Uint8Array | undefined {
  const start = offset + TAG_BYTES;
  return isSome(data, offset) ? data.subarray(start, start + 32) : undefined;
}

export function setOptionalKey(data: Uint8Array, offset: number, key: Uint8Array | null): void {
  data.fill(0, offset, offset + TAG_BYTES + 32);
  if (key === null) return;
  data[offset] = 1;
  data.set(key, offset + TAG_BYTES);
}

/** An extension's authority: 32 bytes, all zero for none. */
export function nullableKey(data: Uint8Array, offset: number): Uint8Array | undefined {
  const key = data.subarray(offset, offset + 32);
  return key.some((byte) => byte !== 0) ? key : undefined;
}

/** @throws InstructionError `InvalidArgument` for the zero address, which would mean none. */
export function setNullableKey(data: Uint8Array, offset: number, key: Uint8Array | null): void {
  if (key?.every((byte) => byte === 0)) throw new InstructionError('InvalidArgument');
  if (key === null) data.fill(0, offset, offset + 32);
  else data.set(key, offset);
}
